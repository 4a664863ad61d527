import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  feeFrequencies,
  waiverKinds,
  type FeeFrequency,
  type WaiverKind,
} from '../../../kernel/domain/fee.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import { DecimalScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'

export const FeeFrequencyEnum = wireEnum(
  'FeeFrequency',
  feeFrequencies,
  'How often a fee is charged.',
  {
    upfront: 'Once, when the account is opened or the loan is paid out.',
    monthly: 'Once a month.',
    quarterly: 'Once a quarter.',
    yearly: 'Once a year.',
    'per-event': 'Once a month, for each payment that the account made in the month.',
  },
)
export const WaiverKindEnum = wireEnum(
  'FeeWaiverKind',
  waiverKinds,
  'The condition under which a fee is waived.',
  {
    'minimum-balance':
      'The account balance is at least `minimumBalance` at the end of the fee period.',
    'customer-segment': 'The customer belongs to `segment`.',
    'account-age': 'The account is less than `months` months old when the fee period begins.',
    campaign: 'The fee period begins during the campaign, on a day from `from` to `to`.',
  },
)

@ObjectType({
  description:
    'A tier of a fee. The tier that contains the basis of the fee (see `ProductFee`) sets the ' +
    'price of the whole basis.',
})
export class ProductFeeTier {
  @Field(() => MoneyType, {
    nullable: true,
    description: 'The upper bound of the tier, inclusive; null for the last tier.',
  })
  upTo: MoneyType | null

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The fee as a fixed amount; null if the tier is priced by percentage.',
  })
  amount: MoneyType | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The fee as a percentage of the basis, from 0 to 100; null if the tier is priced by amount.',
  })
  percent: string | null
}

@ObjectType({
  description: 'A condition under which a fee is waived. Only the fields of its kind are set.',
})
export class ProductFeeWaiver {
  @Field(() => WaiverKindEnum, { description: 'The condition that waives the fee.' })
  kind: WaiverKind

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The minimum balance at the end of the fee period; null unless the kind is ' +
      '`MINIMUM_BALANCE`.',
  })
  minimumBalance: MoneyType | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The customer segment; null unless the kind is `CUSTOMER_SEGMENT`. Letter case is ignored.',
  })
  segment: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The age of the account, in months, below which the fee is waived; null unless the kind is ' +
      '`ACCOUNT_AGE`.',
  })
  months: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the campaign; null unless the kind is `CAMPAIGN`.',
  })
  campaignCode: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day of the campaign; null unless the kind is `CAMPAIGN`.',
  })
  from: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day of the campaign; null unless the kind is `CAMPAIGN`.',
  })
  to: string | null
}

@ObjectType({
  description:
    'A fee of a product, priced in one of three ways: a fixed amount, a percentage of the ' +
    'basis, or tiers. The basis is the quoted amount, the account balance or the total of ' +
    'the payments charged.',
})
export class ProductFee {
  @Field(() => LabelScalar, {
    description: 'The code of the fee, unique within the product version.',
  })
  code: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The name of the fee; null if none was given.',
  })
  name: string | null

  @Field(() => FeeFrequencyEnum, { description: 'How often the fee is charged.' })
  frequency: FeeFrequency

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The fee as a fixed amount. For the frequency `PER_EVENT`, the amount per payment. Null if ' +
      'the fee is priced otherwise.',
  })
  amount: MoneyType | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The fee as a percentage of the basis, from 0 to 100; null if the fee is priced otherwise.',
  })
  percent: string | null

  @Field(() => [ProductFeeTier], {
    description:
      'The tiers of the fee, in ascending order of `upTo`; empty if the fee is priced otherwise.',
  })
  tiers: ProductFeeTier[]

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The minimum charge; null if there is none.',
  })
  minimum: MoneyType | null

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The maximum charge; null if there is none.',
  })
  maximum: MoneyType | null

  @Field(() => [ProductFeeWaiver], {
    description:
      'The conditions under which the fee is waived. The first condition that is met applies.',
  })
  waivers: ProductFeeWaiver[]
}
