import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import { identifierSchemes, type IdentifierScheme } from '../domain/identifier.ts'
import { lapses, type Lapse } from '../domain/lapse.ts'
import { collateralStatuses, type CollateralStatus } from '../domain/states.ts'
import { valuationMethods, type ValuationMethod } from '../domain/valuation.ts'

export const CollateralStatusEnum = wireEnum(
  'CollateralStatus',
  collateralStatuses,
  'Where a collateral stands.',
)
export const SchemeEnum = wireEnum(
  'CollateralIdentifierScheme',
  identifierSchemes,
  'Who gives a thing its name. Of all but `isin` and `other`, one collateral has a name at a time.',
)
export const MethodEnum = wireEnum('ValuationMethod', valuationMethods, 'How a value was come by.')
const LapseEnum = wireEnum('CollateralLapse', lapses, 'What runs out unless it is renewed.')

@ObjectType()
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string
}

@ObjectType()
@Directive('@key(fields: "facilityId")')
export class Facility {
  @Field(() => ID)
  facilityId: string
}

@ObjectType({ description: 'Whose a collateral is, and how much of it.' })
export class CollateralOwner {
  @Field(() => ID)
  partyId: string

  @Field(() => DecimalScalar, { description: 'Percent.' })
  sharePct: string

  @Field(() => Party, { nullable: true })
  party: Party
}

@ObjectType({ description: 'A name by which the rest of the world knows a collateral.' })
export class CollateralIdentifier {
  @Field(() => SchemeEnum)
  scheme: IdentifierScheme

  @Field(() => LabelScalar)
  value: string
}

@ObjectType({ description: 'What a collateral was found to be worth on a day. Never changed.' })
export class CollateralValuation {
  @Field(() => Int, { description: 'In the order they were recorded, from 1.' })
  number: number

  @Field(() => MoneyType)
  marketValue: MoneyType

  @Field(() => MoneyType, { nullable: true, description: 'What a sale in haste would bring.' })
  forcedSaleValue: MoneyType | null

  @Field(() => LocalDateScalar)
  valuationDate: string

  @Field(() => MethodEnum)
  method: ValuationMethod

  @Field(() => LabelScalar, { nullable: true })
  valuer: string | null

  @Field(() => LabelScalar, { nullable: true })
  source: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  nextRevaluationDue: string | null

  @Field(() => DateTimeScalar)
  recordedAt: Date
}

export const CollateralValuationConnection = connectionOf(
  'CollateralValuation',
  () => CollateralValuation,
)

@ObjectType({ description: 'What a collateral is good for towards one facility.' })
export class CollateralLink {
  @Field(() => ID)
  facilityId: string

  @Field(() => Facility, { nullable: true })
  facility: Facility

  @Field(() => Int, { description: 'Who is satisfied first; those of one rank share.' })
  rank: number

  @Field(() => MoneyType, { nullable: true, description: 'What was asked for, as an amount.' })
  amount: MoneyType | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What was asked for, in percent of the lendable value.',
  })
  pct: string | null

  @Field(() => MoneyType, { description: 'What there is for it by its rank.' })
  allocated: MoneyType

  @Field(() => Boolean, { description: 'Whether it counts: not before perfection, nor impaired.' })
  isCovering: boolean
}

@ObjectType({ description: 'How the right of the bank was made good against everybody else.' })
export class CollateralPerfection {
  @Field(() => LabelScalar)
  registry: string

  @Field(() => LabelScalar, { nullable: true })
  reference: string | null

  @Field(() => LocalDateScalar)
  perfectedOn: string

  @Field(() => LocalDateScalar, { nullable: true, description: 'The last day it is good for.' })
  expiresOn: string | null
}

@ObjectType()
export class CollateralInsurance {
  @Field(() => LabelScalar)
  insurer: string

  @Field(() => LabelScalar, { nullable: true })
  policyNumber: string | null

  @Field(() => LocalDateScalar, { description: 'The last day of the policy.' })
  expiresOn: string
}

@ObjectType({ description: 'What secures what the bank lends.' })
@Directive('@key(fields: "collateralId")')
export class Collateral {
  @Field(() => ID)
  collateralId: string

  @Field(() => LabelScalar)
  collateralType: string

  @Field(() => TextScalar, { nullable: true })
  description: string | null

  @Field(() => CollateralStatusEnum)
  status: CollateralStatus

  @Field(() => TextScalar, { nullable: true, description: 'Why it is in its state.' })
  statusReason: string | null

  @Field(() => [CollateralIdentifier])
  identifiers: readonly CollateralIdentifier[]

  @Field(() => DecimalScalar, { description: 'Taken off the market value, in percent.' })
  haircutPct: string

  @Field(() => CollateralPerfection, { nullable: true })
  perfection: CollateralPerfection | null

  @Field(() => CollateralInsurance, { nullable: true })
  insurance: CollateralInsurance | null

  @Field(() => [LapseEnum], { description: 'What ran out and was not renewed.' })
  lapsed: readonly Lapse[]

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const CollateralConnection = connectionOf('Collateral', () => Collateral)

@ObjectType({ description: 'What secures a facility, beside what has to.' })
export class FacilityCoverage {
  @Field(() => MoneyType, { description: 'What its collaterals are good for.' })
  allocated: MoneyType

  @Field(() => MoneyType, { description: 'What has to be there for what is drawn now.' })
  required: MoneyType

  @Field(() => MoneyType)
  shortfall: MoneyType
}
