import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { formatAmount, type Money } from '../domain/money.ts'
import { CurrencyScalar, DecimalScalar } from '../scalars.ts'

@ObjectType('Money', { description: 'An amount with exactly the decimals of its currency.' })
@Directive('@shareable')
export class MoneyType {
  @Field(() => DecimalScalar)
  amount: string

  @Field(() => CurrencyScalar)
  currency: string
}

@InputType({ description: 'An amount, with at most the decimals of its currency.' })
export class MoneyInput {
  @Field(() => DecimalScalar)
  amount: string

  @Field(() => CurrencyScalar)
  currency: string
}

/** Money as the graph answers it. */
export function moneyOut({ amountMinor, currency }: Money): MoneyType {
  return { amount: formatAmount(amountMinor, currency), currency }
}
