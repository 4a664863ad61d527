import { IdentifierScheme, ValuationMethod } from './enumerations.ts'
import {
  date,
  decimal,
  id,
  input,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const OwnerRequest = input(
  'CollateralOwnerInput',
  'An owner of collateral, with the share owned.',
  {
    partyId: id('The ID of the party. Each party can be listed once.'),
    sharePct: decimal(
      'The share owned, as a percentage greater than 0 and at most 100. Defaults to 100 for a ' +
        'single owner; required if there are several.',
    ).orNull(),
  },
)
export type OwnerRequest = TypeOf<typeof OwnerRequest>

const CollateralIdentifierInput = input(
  'CollateralIdentifierInput',
  'An identifier of collateral in an external register or system.',
  {
    scheme: oneOf(
      IdentifierScheme,
      'The numbering system to which the identifier belongs, such as `VIN` or `ISIN`.',
    ),
    value: label(
      'The identifier, with at least one letter or digit. Case and punctuation are ignored when ' +
        'identifiers are compared.',
    ),
  },
)
type CollateralIdentifierInput = TypeOf<typeof CollateralIdentifierInput>

export const ValuationRequest = input('CollateralValuationInput', 'A valuation of collateral.', {
  marketValue: money(
    'The market value, before the haircut and prior liens. Must not be negative and must be ' +
      'in the currency of the collateral, if it has one.',
  ),
  forcedSaleValue: money('The value expected in a forced sale, at most the market value.').orNull(),
  valuationDate: date(
    'The date as of which the value was determined. Defaults to today; must not be in the ' +
      'future.',
  ).orNull(),
  method: oneOf(ValuationMethod, 'The method by which the value was determined.'),
  valuer: label('The person or company that determined the value.').orNull(),
  source: label('The source of the value, such as a report or price feed.').orNull(),
  nextRevaluationDue: date(
    'The date on which the next valuation is due. Must be after the valuation date.',
  ).orNull(),
})
export type ValuationRequest = TypeOf<typeof ValuationRequest>

export const AllocationRequest = input(
  'CollateralLinkInput',
  'The part of the collateral to allocate to a facility: an amount, or a percentage of the ' +
    'lendable value. Defaults to the whole lendable value.',
  {
    facilityId: id('The ID of the facility, which must be in the currency of the collateral.'),
    rank: integer(
      'The rank of the allocation, from 1 (satisfied first) to 99. Defaults to one more than the ' +
        'highest rank of the other allocations, at most 99.',
    ).orNull(),
    amount: money(
      'The amount to allocate, greater than 0. Must be omitted if `pct` is sent.',
    ).orNull(),
    pct: decimal(
      'The part of the lendable value to allocate, as a percentage greater than 0 and at most ' +
        '100. Must be omitted if `amount` is sent.',
    ).orNull(),
  },
)
export type AllocationRequest = TypeOf<typeof AllocationRequest>

export const CollateralDescription = input(
  'DescribedInput',
  'The descriptive properties of collateral.',
  {
    description: text('A description of the asset.').orNull(),
    owners: list(
      object(OwnerRequest),
      'The owners of the collateral, at most 50. If collateral without owners is allocated to a ' +
        'facility, the borrower of the facility becomes its owner.',
    ).orNull(),
    identifiers: list(
      object(CollateralIdentifierInput),
      'The identifiers of the collateral in external registers and systems, at most 20.',
    ).orNull(),
    haircutPct: decimal(
      'The haircut deducted from the market value, as a percentage from 0 to 100. For new ' +
        'collateral, defaults to the haircut of its type.',
    ).orNull(),
    priorLiens: money(
      "The total of the claims that rank ahead of the bank's lien. It is deducted from the " +
        'market value after the haircut.',
    ).orNull(),
  },
)
export type CollateralDescription = TypeOf<typeof CollateralDescription>

export const CreateCollateralInput = input(
  'CreateCollateralInput',
  'The collateral to create. Delegated users can propose assets they own, without a valuation, ' +
    'links, a haircut or prior liens.',
  {
    ...CollateralDescription.fields,
    collateralId: id(
      'The ID of the collateral, chosen by the client. Generated if omitted.',
    ).orNull(),
    collateralType: label(
      'The type of the collateral: `real-estate`, `vehicle`, `cash-deposit`, `securities`, ' +
        '`receivables`, `inventory`, `equipment`, `guarantee`, `life-policy` or any other text. ' +
        'It determines the default haircut.',
    ),
    status: label(
      'The initial status. With a valuation, it is `active` (the default) or `valued`. Without a ' +
        'valuation, it is `proposed` (the default) or `active`.',
    ).orNull(),
    valuation: object(ValuationRequest, 'The first valuation of the collateral.').orNull(),
    links: list(
      object(AllocationRequest),
      'The facilities that the collateral secures. Requires a valuation.',
    ).orNull(),
  },
)
export type CreateCollateralInput = TypeOf<typeof CreateCollateralInput>

export const UpdateCollateralInput = input(
  'UpdateCollateralInput',
  'The changes to collateral. Fields that are omitted or null keep their values.',
  {
    ...CollateralDescription.fields,
    collateralId: id('The ID of the collateral.'),
  },
)
export type UpdateCollateralInput = TypeOf<typeof UpdateCollateralInput>

export const ValueCollateralInput = input(
  'ValueCollateralInput',
  'A new valuation of collateral.',
  {
    ...ValuationRequest.fields,
    collateralId: id('The ID of the collateral.'),
  },
)
export type ValueCollateralInput = TypeOf<typeof ValueCollateralInput>

export const AllocateCollateralInput = input(
  'AllocateCollateralInput',
  'The allocation of collateral to a facility. It replaces any earlier allocation to the same ' +
    'facility.',
  {
    ...AllocationRequest.fields,
    collateralId: id('The ID of the collateral.'),
  },
)
export type AllocateCollateralInput = TypeOf<typeof AllocateCollateralInput>

export const PerfectCollateralInput = input(
  'PerfectCollateralInput',
  'The perfection of the security interest in collateral.',
  {
    collateralId: id('The ID of the collateral.'),
    registry: label('The register or method of perfection, such as a land register or possession.'),
    reference: label('The reference of the registration.').orNull(),
    perfectedOn: date(
      'The date on which the security interest was perfected. Defaults to today; must not be in ' +
        'the future.',
    ).orNull(),
    expiresOn: date(
      'The last day on which the perfection is valid. If omitted, the perfection does not expire.',
    ).orNull(),
  },
)
export type PerfectCollateralInput = TypeOf<typeof PerfectCollateralInput>

export const InsureCollateralInput = input(
  'InsureCollateralInput',
  'The insurance of collateral.',
  {
    collateralId: id('The ID of the collateral.'),
    insurer: label('The name of the insurer.'),
    policyNumber: label('The number of the policy.').orNull(),
    expiresOn: date('The last day of the policy. Must not be in the past.'),
  },
)
export type InsureCollateralInput = TypeOf<typeof InsureCollateralInput>
