import { IdentifierScheme, CollateralStatus, Lapse } from './enumerations.ts'
import {
  connectionOf,
  date,
  decimal,
  entity,
  id,
  instant,
  label,
  list,
  object,
  oneOf,
  shape,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Party = entity('Party', 'partyId', undefined, {
  partyId: id(),
})
export type Party = TypeOf<typeof Party>

export const CollateralOwner = shape(
  'CollateralOwner',
  'An owner of collateral, with the share owned.',
  {
    partyId: id('The ID of the party that owns the share.'),
    sharePct: decimal(
      'The share owned, as a percentage greater than 0 and at most 100. The shares of all ' +
        'owners add up to at most 100.',
    ),
    party: object(Party, 'The party that owns the share.').orNull(),
  },
)
export type CollateralOwner = TypeOf<typeof CollateralOwner>

export const Identifier = shape(
  'CollateralIdentifier',
  'An identifier of collateral in an external register or system.',
  {
    scheme: oneOf(
      IdentifierScheme,
      'The numbering system to which the identifier belongs, such as `VIN` or `ISIN`.',
    ),
    value: label('The identifier, as it was entered.'),
  },
)
export type Identifier = TypeOf<typeof Identifier>

export const Perfection = shape(
  'CollateralPerfection',
  'The perfection of the security interest, which makes it enforceable against third parties.',
  {
    registry: label('The register or method of perfection, such as a land register or possession.'),
    reference: label('The reference of the registration; null if there is none.').orNull(),
    perfectedOn: date('The date on which the security interest was perfected.'),
    expiresOn: date(
      'The last day on which the perfection is valid; null if it does not expire.',
    ).orNull(),
  },
)
export type Perfection = TypeOf<typeof Perfection>

export const Insurance = shape('CollateralInsurance', 'The insurance of collateral.', {
  insurer: label('The name of the insurer.'),
  policyNumber: label('The number of the policy; null if not recorded.').orNull(),
  expiresOn: date('The last day of the policy.'),
})
export type Insurance = TypeOf<typeof Insurance>

export const Collateral = entity('Collateral', 'collateralId', 'An asset that secures lending.', {
  collateralId: id('The ID of the collateral, such as `col_…`.'),
  collateralType: label(
    'The type of the collateral, such as `real-estate`, `vehicle` or `securities`. Any other ' +
      'text is allowed.',
  ),
  description: text('A description of the asset; null if none was given.').orNull(),
  status: oneOf(CollateralStatus, 'The lifecycle status of the collateral.'),
  statusReason: text('The reason for the last status change; null if none was given.').orNull(),
  identifiers: list(
    object(Identifier),
    'The identifiers of the collateral in external registers and systems.',
  ),
  haircutPct: decimal('The haircut deducted from the market value, as a percentage from 0 to 100.'),
  perfection: object(
    Perfection,
    'The perfection of the security interest; null if no perfection is recorded.',
  ).orNull(),
  insurance: object(
    Insurance,
    'The insurance of the collateral; null if none is recorded.',
  ).orNull(),
  lapsed: list(oneOf(Lapse), 'The items that have lapsed and have not been renewed.'),
  createdAt: instant('When the collateral was recorded, in UTC.'),
  updatedAt: instant('When the collateral was last changed, in UTC.'),
})

export const CollateralConnection = connectionOf(Collateral)
