import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { identifierSchemes, type IdentifierScheme } from '../domain/identifier.ts'
import { lapses, type Lapse } from '../domain/lapse.ts'
import { collateralRequirements } from '../domain/requirements.ts'
import { collateralStatuses, type CollateralStatus } from '../domain/states.ts'

export const CollateralStatusEnum = wireEnum(
  'CollateralStatus',
  collateralStatuses,
  'The lifecycle status of collateral.',
  {
    proposed: 'The collateral was offered and has no valuation yet.',
    valued:
      'The collateral has a valuation, but the security interest is not perfected yet. The ' +
      'collateral does not count as coverage.',
    active: 'The collateral counts as coverage.',
    impaired:
      'The collateral has a known defect and is excluded from coverage until it is restored.',
    'release-pending': 'A release was requested; the collateral still counts as coverage.',
    released: 'The collateral was returned to its owners. This status is final.',
    liquidation: 'The collateral is being sold and no longer counts as coverage.',
    liquidated: 'The collateral was sold and its proceeds are recorded. This status is final.',
    rejected: 'The bank declined the collateral. This status is final.',
  },
)

export const SchemeEnum = wireEnum(
  'CollateralIdentifierScheme',
  identifierSchemes,
  'The numbering system to which an identifier belongs. To prevent pledging the same asset ' +
    'twice, only one collateral record can have an identifier, not counting records in a final ' +
    'status. `ISIN` and `OTHER` are exceptions.',
  {
    'cadastral-number': 'The parcel number of a property in the cadaster.',
    'title-number': 'The number of a property in the land register.',
    vin: 'A vehicle identification number (ISO 3779).',
    'serial-number': "The manufacturer's serial number of a piece of equipment.",
    'policy-number': 'The number of an insurance policy.',
    'account-number': 'The number of a pledged account.',
    isin:
      'An International Securities Identification Number (ISO 6166). Several collateral records ' +
      'can have the same one.',
    other: 'Any other identifier. Several collateral records can have the same one.',
  },
)

const LapseEnum = wireEnum(
  'CollateralLapse',
  lapses,
  'Something that has lapsed and must be renewed.',
  {
    perfection: 'The perfection of the security interest expired.',
    insurance: 'The insurance policy expired.',
    revaluation: 'A revaluation is due.',
  },
)

export const CollateralRequirementEnum = wireEnum(
  'CollateralRequirement',
  collateralRequirements,
  'Something that must be supplied before collateral counts as coverage.',
  {
    owner:
      'An owner. Set it with `updateCollateral`; otherwise the borrower of the first facility to ' +
      'which the collateral is allocated becomes its owner.',
    valuation: 'A valuation. Record it with `valueCollateral`.',
    perfection:
      'The perfection of the security interest, which activates the collateral. Record it with ' +
      '`perfectCollateral`, after a valuation.',
    allocation:
      'An allocation to a facility. Make it with `allocateCollateral`, after a valuation.',
  },
)

@ObjectType()
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string
}

@ObjectType({ description: 'An owner of collateral, with the share owned.' })
export class CollateralOwner {
  @Field(() => ID, { description: 'The ID of the party that owns the share.' })
  partyId: string

  @Field(() => DecimalScalar, {
    description:
      'The share owned, as a percentage greater than 0 and at most 100. The shares of all ' +
      'owners add up to at most 100.',
  })
  sharePct: string

  @Field(() => Party, { nullable: true, description: 'The party that owns the share.' })
  party: Party
}

@ObjectType({ description: 'An identifier of collateral in an external register or system.' })
export class CollateralIdentifier {
  @Field(() => SchemeEnum, {
    description: 'The numbering system to which the identifier belongs, such as `VIN` or `ISIN`.',
  })
  scheme: IdentifierScheme

  @Field(() => LabelScalar, { description: 'The identifier, as it was entered.' })
  value: string
}

@ObjectType({
  description:
    'The perfection of the security interest, which makes it enforceable against third parties.',
})
export class CollateralPerfection {
  @Field(() => LabelScalar, {
    description: 'The register or method of perfection, such as a land register or possession.',
  })
  registry: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The reference of the registration; null if there is none.',
  })
  reference: string | null

  @Field(() => LocalDateScalar, {
    description: 'The date on which the security interest was perfected.',
  })
  perfectedOn: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day on which the perfection is valid; null if it does not expire.',
  })
  expiresOn: string | null
}

@ObjectType({ description: 'The insurance of collateral.' })
export class CollateralInsurance {
  @Field(() => LabelScalar, { description: 'The name of the insurer.' })
  insurer: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The number of the policy; null if not recorded.',
  })
  policyNumber: string | null

  @Field(() => LocalDateScalar, { description: 'The last day of the policy.' })
  expiresOn: string
}

@ObjectType({ description: 'An asset that secures lending.' })
@Directive('@key(fields: "collateralId")')
export class Collateral {
  @Field(() => ID, { description: 'The ID of the collateral, such as `col_…`.' })
  collateralId: string

  @Field(() => LabelScalar, {
    description:
      'The type of the collateral, such as `real-estate`, `vehicle` or `securities`. Any other ' +
      'text is allowed.',
  })
  collateralType: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'A description of the asset; null if none was given.',
  })
  description: string | null

  @Field(() => CollateralStatusEnum, { description: 'The lifecycle status of the collateral.' })
  status: CollateralStatus

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The reason for the last status change; null if none was given.',
  })
  statusReason: string | null

  @Field(() => [CollateralIdentifier], {
    description: 'The identifiers of the collateral in external registers and systems.',
  })
  identifiers: readonly CollateralIdentifier[]

  @Field(() => DecimalScalar, {
    description: 'The haircut deducted from the market value, as a percentage from 0 to 100.',
  })
  haircutPct: string

  @Field(() => CollateralPerfection, {
    nullable: true,
    description: 'The perfection of the security interest; null if no perfection is recorded.',
  })
  perfection: CollateralPerfection | null

  @Field(() => CollateralInsurance, {
    nullable: true,
    description: 'The insurance of the collateral; null if none is recorded.',
  })
  insurance: CollateralInsurance | null

  @Field(() => [LapseEnum], {
    description: 'The items that have lapsed and have not been renewed.',
  })
  lapsed: readonly Lapse[]

  @Field(() => DateTimeScalar, { description: 'When the collateral was recorded, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the collateral was last changed, in UTC.' })
  updatedAt: Date
}

export const CollateralConnection = connectionOf('Collateral', () => Collateral)
