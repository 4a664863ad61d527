import { Field, ID, InputType, Int } from 'type-graphql'
import type { FeeFrequency, WaiverKind } from '../../../kernel/domain/fee.ts'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import { DecimalScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { FeeFrequencyEnum, WaiverKindEnum } from './fee.types.ts'

@InputType({
  description:
    'A tier of a fee, priced by either `amount` or `percent`. The tier that contains the basis ' +
    'sets the price of the whole basis.',
})
class ProductFeeTierInput {
  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The upper bound of the tier, inclusive. Bounds must ascend from tier to tier; the ' +
      'last tier has none.',
  })
  upTo?: MoneyInput | null

  @Field(() => MoneyInput, { nullable: true, description: 'The fee as a fixed amount.' })
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The fee as a percentage of the basis, from 0 to 100.',
  })
  percent?: string | null
}

@InputType({
  description:
    'A condition under which a fee is waived. Exactly the fields of its kind must be sent.',
})
export class ProductFeeWaiverInput {
  @Field(() => WaiverKindEnum, { description: 'The condition that waives the fee.' })
  kind: WaiverKind

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The minimum balance at the end of the fee period. Required for `MINIMUM_BALANCE`.',
  })
  minimumBalance?: MoneyInput | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The customer segment. Letter case is ignored. Required for `CUSTOMER_SEGMENT`.',
  })
  segment?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The age of the account, in months, below which the fee is waived, from 1 to 1,200. ' +
      'Required for `ACCOUNT_AGE`.',
  })
  months?: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the campaign. Required for `CAMPAIGN`.',
  })
  campaignCode?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day of the campaign. Required for `CAMPAIGN`.',
  })
  from?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day of the campaign, not before `from`. Required for `CAMPAIGN`.',
  })
  to?: string | null
}

@InputType({
  description:
    'A fee of a product, with exactly one of `amount`, `percent` and `tiers`. All amounts ' +
    'must be in one currency of the product and must not be negative.',
})
export class ProductFeeInput {
  @Field(() => LabelScalar, {
    description: 'The code of the fee, unique within the product version.',
  })
  code: string

  @Field(() => LabelScalar, { nullable: true, description: 'The name of the fee.' })
  name?: string | null

  @Field(() => FeeFrequencyEnum, { description: 'How often the fee is charged.' })
  frequency: FeeFrequency

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The fee as a fixed amount. For the frequency `PER_EVENT`, the amount per payment.',
  })
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The fee as a percentage, from 0 to 100, of the basis: the quoted amount, the account ' +
      'balance or the total of the payments charged.',
  })
  percent?: string | null

  @Field(() => [ProductFeeTierInput], {
    nullable: true,
    description: 'The tiers of the fee, in ascending order of `upTo`.',
  })
  tiers?: ProductFeeTierInput[] | null

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The minimum charge. It must not exceed `maximum`.',
  })
  minimum?: MoneyInput | null

  @Field(() => MoneyInput, { nullable: true, description: 'The maximum charge.' })
  maximum?: MoneyInput | null

  @Field(() => [ProductFeeWaiverInput], {
    nullable: true,
    description:
      'The conditions under which the fee is waived. The first condition that is met applies.',
  })
  waivers?: ProductFeeWaiverInput[] | null
}
