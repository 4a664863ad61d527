import { Field, ID, InputType, Int } from 'type-graphql'
import { parseAmount, type Money } from '../../_kernel/domain/money.ts'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import type { DecisionMode } from '../domain/application.ts'
import { DecisionModeEnum } from './application.types.ts'

@InputType({ description: 'A statement made or consent given by the applicant.' })
export class LoanDeclarationInput {
  @Field(() => LabelScalar, {
    description:
      'The code of the declaration, such as `credit-bureau-check`, the consent to query a ' +
      'credit bureau.',
  })
  code: string

  @Field(() => Boolean, {
    description: 'Whether the applicant makes the statement or gives the consent.',
  })
  accepted: boolean
}

@InputType()
class ApplicationMembers {
  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of a pricing quote, which supplies the product, amount and term that ' +
      'are not given.',
  })
  quoteId?: string | null

  @Field(() => ID, { nullable: true, description: 'The identifier of the product applied for.' })
  productId?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The requested amount, greater than zero.',
  })
  requestedAmount?: MoneyInput | null

  @Field(() => Int, {
    nullable: true,
    description: 'The requested term, in months, from 1 to 600.',
  })
  termMonths?: number | null

  @Field(() => TextScalar, { nullable: true, description: 'The purpose of the loan.' })
  purpose?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The net monthly income of the applicant, in the currency of the loan.',
  })
  monthlyIncome?: MoneyInput | null

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The monthly payments of the applicant on other debts, in the currency of the loan.',
  })
  monthlyObligations?: MoneyInput | null

  @Field(() => Int, {
    nullable: true,
    description:
      'How long the applicant has been in the current employment, in months, from 0 to 1,200.',
  })
  employedMonths?: number | null

  @Field(() => ID, {
    nullable: true,
    description: "The identifier of the applicant's account to which the loan is paid out.",
  })
  settlementArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The channel through which the application is made, such as `web`.',
  })
  channel?: string | null

  @Field(() => [LoanDeclarationInput], {
    nullable: true,
    description:
      'Statements and consents of the applicant, at most 50. They are merged with earlier ' +
      'ones by code.',
  })
  declarations?: LoanDeclarationInput[] | null

  @Field(() => [ID], {
    nullable: true,
    description:
      'The identifiers of documents that belong to the application, at most 50. They are ' +
      'added to earlier ones.',
  })
  documents?: string[] | null
}

@InputType({
  description: 'The loan application to create. It may be incomplete until it is submitted.',
})
export class CreateLoanApplicationInput extends ApplicationMembers {
  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of the new application; generated when omitted. A repeated request ' +
      'with the same identifier and content returns the existing application.',
  })
  applicationId?: string | null

  @Field(() => ID, { description: 'The identifier of the customer who applies.' })
  customerId: string

  @Field(() => DecisionModeEnum, {
    nullable: true,
    description:
      'Who decides on the application, set by the bank only. When omitted, the product ' +
      'decides, or `HYBRID` applies.',
  })
  decisionMode?: DecisionMode | null
}

@InputType({
  description:
    'The application to submit, with additions to it. The application must have a ' +
    'product, an amount and, for a loan, a term.',
})
export class SubmitCreditApplicationInput extends ApplicationMembers {
  @Field(() => ID, {
    description:
      'The identifier of the application to submit. An unknown application is created first ' +
      'when `customerId` and a product or a quote are given.',
  })
  applicationId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of the customer who applies. It must match an existing application.',
  })
  customerId?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the application was submitted, not in the future; the current time when omitted.',
  })
  submittedAt?: Date | null
}

/**
 * Parses the amounts of an input to minor units. Rejects with VALIDATION_FAILED an invalid amount.
 */
export function withAmounts<Input extends ApplicationMembers>(input: Input) {
  const { requestedAmount, monthlyIncome, monthlyObligations, ...others } = input
  return {
    ...others,
    requestedAmount: moneyOf(requestedAmount, '/requestedAmount'),
    monthlyIncome: moneyOf(monthlyIncome, '/monthlyIncome'),
    monthlyObligations: moneyOf(monthlyObligations, '/monthlyObligations'),
  }
}

/** Parses one amount to minor units. Rejects with VALIDATION_FAILED. */
function moneyOf(money: MoneyInput | null | undefined, pointer: string): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}
