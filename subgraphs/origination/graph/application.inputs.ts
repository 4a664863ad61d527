import { Field, ID, InputType, Int } from 'type-graphql'
import { parseAmount, type Money } from '../../_kernel/domain/money.ts'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import type { DecisionMode } from '../domain/application.ts'
import { DecisionModeEnum } from './application.types.ts'

@InputType({ description: 'What the applicant states or agrees to.' })
export class LoanDeclarationInput {
  @Field(() => LabelScalar, {
    description: 'Such as `credit-bureau-check`: a credit bureau may be asked.',
  })
  code: string

  @Field(() => Boolean)
  accepted: boolean
}

@InputType()
class ApplicationMembers {
  @Field(() => ID, { nullable: true, description: 'A price; it says what was not said.' })
  quoteId?: string | null

  @Field(() => ID, { nullable: true })
  productId?: string | null

  @Field(() => MoneyInput, { nullable: true })
  requestedAmount?: MoneyInput | null

  @Field(() => Int, { nullable: true })
  termMonths?: number | null

  @Field(() => TextScalar, { nullable: true })
  purpose?: string | null

  @Field(() => MoneyInput, { nullable: true, description: 'After tax.' })
  monthlyIncome?: MoneyInput | null

  @Field(() => MoneyInput, { nullable: true, description: 'What is paid for other debts.' })
  monthlyObligations?: MoneyInput | null

  @Field(() => Int, { nullable: true, description: 'How long the applicant has had their work.' })
  employedMonths?: number | null

  @Field(() => ID, { nullable: true, description: 'Where the loan is paid out to.' })
  settlementArrangementId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  channel?: string | null

  @Field(() => [LoanDeclarationInput], { nullable: true })
  declarations?: LoanDeclarationInput[] | null

  @Field(() => [ID], { nullable: true, description: 'Documents that go with it.' })
  documents?: string[] | null
}

@InputType()
export class CreateLoanApplicationInput extends ApplicationMembers {
  @Field(() => ID, { nullable: true })
  applicationId?: string | null

  @Field(() => ID)
  customerId: string

  @Field(() => DecisionModeEnum, {
    nullable: true,
    description: 'What the product says when absent, else `HYBRID`.',
  })
  decisionMode?: DecisionMode | null
}

@InputType()
export class SubmitCreditApplicationInput extends ApplicationMembers {
  @Field(() => ID)
  applicationId: string

  @Field(() => ID, {
    nullable: true,
    description: 'With a product or a price, an application that nobody has is created.',
  })
  customerId?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Now when absent.' })
  submittedAt?: Date | null
}

/** Members with their amounts read. Refuses with VALIDATION_FAILED what is no amount of its currency. */
export function withAmounts<Input extends ApplicationMembers>(input: Input) {
  const { requestedAmount, monthlyIncome, monthlyObligations, ...others } = input
  return {
    ...others,
    requestedAmount: moneyOf(requestedAmount, '/requestedAmount'),
    monthlyIncome: moneyOf(monthlyIncome, '/monthlyIncome'),
    monthlyObligations: moneyOf(monthlyObligations, '/monthlyObligations'),
  }
}

/** An amount as it is sent. Refuses with VALIDATION_FAILED. */
function moneyOf(money: MoneyInput | null | undefined, pointer: string): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}
