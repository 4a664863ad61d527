import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import {
  feeFrequencies,
  waiverKinds,
  type FeeFrequency,
  type WaiverKind,
} from '../../_kernel/domain/fee.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../_kernel/graph/money.types.ts'
import { DecimalScalar, LabelScalar, LocalDateScalar } from '../../_kernel/scalars.ts'

export const FeeFrequencyEnum = wireEnum('FeeFrequency', feeFrequencies, 'When a fee is charged.')
const WaiverKindEnum = wireEnum('FeeWaiverKind', waiverKinds, 'What a fee is waived for.')

const feeDescription =
  'A charge: an amount, a percentage of the amount that is quoted or of the balance, or tiers of either.'
const tierDescription = 'A step of a tiered fee. The step the basis falls in prices all of it.'
const waiverDescription =
  'What a fee is waived for: a balance at the end of the period, a segment of customers, the ' +
  'first months of an account, or a campaign during which the period begins.'

const nullable = { nullable: true } as const
const upTo = { nullable: true, description: 'Included; the last tier has none.' } as const
const minimum = { nullable: true, description: 'It is never less.' } as const
const maximum = { nullable: true, description: 'It is never more.' } as const

@ObjectType({ description: tierDescription })
export class ProductFeeTier {
  @Field(() => MoneyType, upTo)
  upTo: MoneyType | null

  @Field(() => MoneyType, nullable)
  amount: MoneyType | null

  @Field(() => DecimalScalar, nullable)
  percent: string | null
}

@ObjectType({ description: waiverDescription })
export class ProductFeeWaiver {
  @Field(() => WaiverKindEnum)
  kind: WaiverKind

  @Field(() => MoneyType, nullable)
  minimumBalance: MoneyType | null

  @Field(() => LabelScalar, nullable)
  segment: string | null

  @Field(() => Int, nullable)
  months: number | null

  @Field(() => ID, nullable)
  campaignCode: string | null

  @Field(() => LocalDateScalar, nullable)
  from: string | null

  @Field(() => LocalDateScalar, nullable)
  to: string | null
}

@ObjectType({ description: feeDescription })
export class ProductFee {
  @Field(() => LabelScalar)
  code: string

  @Field(() => LabelScalar, nullable)
  name: string | null

  @Field(() => FeeFrequencyEnum)
  frequency: FeeFrequency

  @Field(() => MoneyType, nullable)
  amount: MoneyType | null

  @Field(() => DecimalScalar, nullable)
  percent: string | null

  @Field(() => [ProductFeeTier])
  tiers: ProductFeeTier[]

  @Field(() => MoneyType, minimum)
  minimum: MoneyType | null

  @Field(() => MoneyType, maximum)
  maximum: MoneyType | null

  @Field(() => [ProductFeeWaiver], { description: 'The first that holds waives it.' })
  waivers: ProductFeeWaiver[]
}

@InputType({ description: tierDescription })
class ProductFeeTierInput {
  @Field(() => MoneyInput, upTo)
  upTo?: MoneyInput | null

  @Field(() => MoneyInput, nullable)
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, nullable)
  percent?: string | null
}

@InputType({ description: `${waiverDescription} It has the members of its kind and no others.` })
export class ProductFeeWaiverInput {
  @Field(() => WaiverKindEnum)
  kind: WaiverKind

  @Field(() => MoneyInput, nullable)
  minimumBalance?: MoneyInput | null

  @Field(() => LabelScalar, nullable)
  segment?: string | null

  @Field(() => Int, nullable)
  months?: number | null

  @Field(() => ID, nullable)
  campaignCode?: string | null

  @Field(() => LocalDateScalar, nullable)
  from?: string | null

  @Field(() => LocalDateScalar, nullable)
  to?: string | null
}

@InputType({ description: feeDescription })
export class ProductFeeInput {
  @Field(() => LabelScalar)
  code: string

  @Field(() => LabelScalar, nullable)
  name?: string | null

  @Field(() => FeeFrequencyEnum)
  frequency: FeeFrequency

  @Field(() => MoneyInput, nullable)
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, nullable)
  percent?: string | null

  @Field(() => [ProductFeeTierInput], nullable)
  tiers?: ProductFeeTierInput[] | null

  @Field(() => MoneyInput, minimum)
  minimum?: MoneyInput | null

  @Field(() => MoneyInput, maximum)
  maximum?: MoneyInput | null

  @Field(() => [ProductFeeWaiverInput], nullable)
  waivers?: ProductFeeWaiverInput[] | null
}
