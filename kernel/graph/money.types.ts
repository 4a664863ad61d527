import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { formatAmount, type Money } from '../domain/money.ts'
import { CurrencyScalar, DecimalScalar } from './scalars.ts'

@ObjectType('Money', { description: 'A monetary amount in one currency.' })
@Directive('@shareable')
export class MoneyType {
  @Field(() => DecimalScalar, {
    description:
      'The amount as a decimal string, in major units with exactly the decimal places of the ' +
      'currency, such as "12.50" for EUR and "12" for JPY.',
  })
  amount: string

  @Field(() => CurrencyScalar, { description: 'The currency of the amount.' })
  currency: string
}

@InputType({ description: 'A monetary amount in one currency.' })
export class MoneyInput {
  @Field(() => DecimalScalar, {
    description:
      'The amount as a decimal string, in major units with at most the decimal places of the ' +
      'currency, such as "12.5" or "12.50" for EUR.',
  })
  amount: string

  @Field(() => CurrencyScalar, { description: 'The currency of the amount.' })
  currency: string
}

/** Converts an amount in minor units to its GraphQL form, a decimal string. */
export function moneyOut({ amountMinor, currency }: Money): MoneyType {
  return { amount: formatAmount(amountMinor, currency), currency }
}
