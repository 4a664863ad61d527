import { Field, ID, InputType, Int } from 'type-graphql'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import type { DecisionMode } from '../domain/application.ts'
import { DecisionModeEnum } from './application.types.ts'

@InputType({ description: 'A statement made or consent given by the applicant.' })
export class LoanDeclarationInput {
  @Field(() => LabelScalar, {
    description:
      'The code of the declaration, such as `credit-bureau-check` (the consent to query a credit ' +
      'bureau).',
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
      'The ID of a pricing quote. It supplies the product, amount and term if they are omitted.',
  })
  quoteId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of the product applied for.' })
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
    description: "The ID of the applicant's account to which the loan is paid out.",
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
      'The statements and consents of the applicant. A declaration replaces an earlier one with ' +
      'the same code. An application can have at most 50 declarations.',
  })
  declarations?: LoanDeclarationInput[] | null

  @Field(() => [ID], {
    nullable: true,
    description:
      'The IDs of documents to add to the application. An application can have at most 50 ' +
      'documents.',
  })
  documents?: string[] | null
}

@InputType({
  description: 'The loan application to create. It can be incomplete until it is submitted.',
})
export class CreateLoanApplicationInput extends ApplicationMembers {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new application; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing application.',
  })
  applicationId?: string | null

  @Field(() => ID, { description: 'The ID of the customer who applies.' })
  customerId: string

  @Field(() => DecisionModeEnum, {
    nullable: true,
    description:
      'Who decides on the application. Only the bank can set it. Defaults to the mode of the ' +
      'product, or to `HYBRID`.',
  })
  decisionMode?: DecisionMode | null
}

@InputType({
  description:
    'The application to submit, with any additions. The application must have a product, an ' +
    'amount and, unless the product is a revolving limit, a term.',
})
export class SubmitCreditApplicationInput extends ApplicationMembers {
  @Field(() => ID, {
    description:
      'The ID of the application to submit. If the application does not exist, it is created ' +
      'first, provided that `customerId` and a product or a quote are sent.',
  })
  applicationId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the customer who applies. If the application already exists, its customer must ' +
      'be the same.',
  })
  customerId?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the application was submitted, not in the future. Defaults to the current time.',
  })
  submittedAt?: Date | null
}

/**
 * Parses the amounts of an input to minor units. Throws VALIDATION_FAILED if an amount is invalid.
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

/** Parses one amount to minor units. Throws VALIDATION_FAILED if it is not valid. */
function moneyOf(money: MoneyInput | null | undefined, pointer: string): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}
