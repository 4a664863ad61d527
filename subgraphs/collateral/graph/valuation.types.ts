import { Field, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { valuationMethods, type ValuationMethod } from '../domain/valuation.ts'

export const MethodEnum = wireEnum(
  'ValuationMethod',
  valuationMethods,
  'The method by which collateral was valued.',
  {
    appraisal: 'An appraiser assessed the collateral.',
    index: 'An earlier value was adjusted with a price index.',
    'purchase-price': 'The price paid for the collateral.',
    'market-price': 'The price quoted on a market.',
    'self-declared': "The owner's own statement.",
  },
)

@ObjectType({ description: 'A valuation of collateral. Valuations are never changed.' })
export class CollateralValuation {
  @Field(() => Int, {
    description: 'The sequence number of the valuation, in the order of recording, starting at 1.',
  })
  number: number

  @Field(() => MoneyType, { description: 'The market value, before the haircut and prior liens.' })
  marketValue: MoneyType

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The value expected in a forced sale, at most the market value; null if it was not assessed.',
  })
  forcedSaleValue: MoneyType | null

  @Field(() => LocalDateScalar, { description: 'The date as of which the value was determined.' })
  valuationDate: string

  @Field(() => MethodEnum, { description: 'The method by which the value was determined.' })
  method: ValuationMethod

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The person or company that determined the value; null if not recorded.',
  })
  valuer: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The source of the value, such as a report or price feed; null if not recorded.',
  })
  source: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date on which the next valuation is due; null if none is scheduled.',
  })
  nextRevaluationDue: string | null

  @Field(() => DateTimeScalar, { description: 'When the valuation was recorded, in UTC.' })
  recordedAt: Date
}

export const CollateralValuationConnection = connectionOf(
  'CollateralValuation',
  () => CollateralValuation,
)
