import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CampaignStatus = enumeration('CampaignStatus', 'The lifecycle state of a campaign.', {
  draft: 'The campaign is being prepared and does not apply yet.',
  active: 'The campaign applies between its first and its last day.',
  ended:
    'The campaign is over. Discounts and waivers that were already granted are kept. This ' +
    'state is final.',
  withdrawn: 'The campaign was withdrawn by the bank. This state is final.',
})
export type CampaignStatus = TypeOf<typeof CampaignStatus>

export const OfferStatus = enumeration('OfferStatus', 'The lifecycle state of an offer.', {
  draft: 'The offer is being prepared and is not visible to customers.',
  active: 'The offer is published and can be accepted until `validTo`.',
  accepted: 'The customer accepted the offer. This state is final.',
  expired: 'The offer was not accepted before `validTo`. This state is final.',
  withdrawn: 'The bank withdrew the published offer. This state is final.',
})
export type OfferStatus = TypeOf<typeof OfferStatus>

export const ComponentKind = enumeration(
  'PriceComponentKind',
  'Whether a component of an interest rate is the base rate, the margin or a discount.',
  {
    base: 'The base rate of the product.',
    margin: 'The margin added to the base rate.',
    discount: 'A discount subtracted from the rate.',
  },
)
export type ComponentKind = TypeOf<typeof ComponentKind>

export const ProductStatus = enumeration(
  'ProductStatus',
  'The lifecycle state of a product version.',
  {
    draft: 'The version is being prepared and is not on sale yet.',
    active: 'The version is on sale. At most one version of a product is active.',
    suspended: 'The version is temporarily not on sale.',
    superseded:
      'A newer version has replaced this version. Existing arrangements are not affected.',
    retired:
      'The version is permanently off sale. Existing arrangements are not affected. This state ' +
      'is final.',
    withdrawn: 'The draft was discarded before it was on sale. This state is final.',
  },
)
export type ProductStatus = TypeOf<typeof ProductStatus>

export const ProductRequirement = enumeration(
  'ProductRequirement',
  'Something that a product version lacks and needs for its intended use.',
  {
    interest:
      'The interest rate of a credit product. Without an interest rate, the product is lent at 0 ' +
      'percent. Create a new version with `interest`; a rate of 0 states that the credit is free ' +
      'of interest.',
  },
)
export type ProductRequirement = TypeOf<typeof ProductRequirement>

export const ParameterType = enumeration(
  'ProductParameterType',
  'The data type of a product parameter.',
  {
    amount:
      "A monetary amount in major units of the arrangement's currency, such as 12.50 for EUR " +
      '12.50.',
    decimal: 'A decimal number.',
    integer: 'A whole number.',
    boolean: '`true` or `false`.',
    text: 'A text of up to 64 characters.',
  },
)
export type ParameterType = TypeOf<typeof ParameterType>

export const SelfServiceSettingState = enumeration(
  'SelfServiceSettingState',
  'The state of a self-service setting.',
  {
    proposed: 'A second person has to approve the setting.',
    approved: 'The setting applies until a later one is approved. This state is final.',
    rejected: 'The setting was rejected. This state is final.',
  },
)
export type SelfServiceSettingState = TypeOf<typeof SelfServiceSettingState>
