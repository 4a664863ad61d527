import { DecisionMode } from './enumerations.ts'
import {
  boolean,
  id,
  input,
  instant,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'

export const LoanDeclarationInput = input(
  'LoanDeclarationInput',
  'A statement made or consent given by the applicant.',
  {
    code: label(
      'The code of the declaration, such as `credit-bureau-check` (the consent to query a credit ' +
        'bureau).',
    ),
    accepted: boolean('Whether the applicant makes the statement or gives the consent.'),
  },
)
export type LoanDeclarationInput = TypeOf<typeof LoanDeclarationInput>

const ApplicationMembers = input('ApplicationMembers', '', {
  quoteId: id(
    'The ID of a pricing quote. It supplies the product, amount and term if they are omitted.',
  ).orNull(),
  productId: id('The ID of the product applied for.').orNull(),
  requestedAmount: money('The requested amount, greater than zero.').orNull(),
  termMonths: integer('The requested term, in months, from 1 to 600.').orNull(),
  purpose: text('The purpose of the loan.').orNull(),
  monthlyIncome: money(
    'The net monthly income of the applicant, in the currency of the loan.',
  ).orNull(),
  monthlyObligations: money(
    'The monthly payments of the applicant on other debts, in the currency of the loan.',
  ).orNull(),
  employedMonths: integer(
    'How long the applicant has been in the current employment, in months, from 0 to 1,200.',
  ).orNull(),
  settlementArrangementId: id(
    "The ID of the applicant's account to which the loan is paid out.",
  ).orNull(),
  channel: label('The channel through which the application is made, such as `web`.').orNull(),
  declarations: list(
    object(LoanDeclarationInput),
    'The statements and consents of the applicant. A declaration replaces an earlier one with ' +
      'the same code. An application can have at most 50 declarations.',
  ).orNull(),
  documents: list(
    id(),
    'The IDs of documents to add to the application. An application can have at most 50 ' +
      'documents.',
  ).orNull(),
})
type ApplicationMembers = TypeOf<typeof ApplicationMembers>

export const CreateLoanApplicationInput = input(
  'CreateLoanApplicationInput',
  'The loan application to create. It can be incomplete until it is submitted.',
  {
    ...ApplicationMembers.fields,
    applicationId: id(
      'The ID of the new application; generated if omitted. A repeated request with the same ID ' +
        'and content returns the existing application.',
    ).orNull(),
    customerId: id('The ID of the customer who applies.'),
    decisionMode: oneOf(
      DecisionMode,
      'Who decides on the application. Only the bank can set it. Defaults to the mode of the ' +
        'product, or to `HYBRID`.',
    ).orNull(),
  },
)
export type CreateLoanApplicationInput = TypeOf<typeof CreateLoanApplicationInput>

export const SubmitCreditApplicationInput = input(
  'SubmitCreditApplicationInput',
  'The application to submit, with any additions. The application must have a product, an ' +
    'amount and, unless the product is a revolving limit, a term.',
  {
    ...ApplicationMembers.fields,
    applicationId: id(
      'The ID of the application to submit. If the application does not exist, it is created ' +
        'first, provided that `customerId` and a product or a quote are sent.',
    ),
    customerId: id(
      'The ID of the customer who applies. If the application already exists, its customer must ' +
        'be the same.',
    ).orNull(),
    submittedAt: instant(
      'When the application was submitted, not in the future. Defaults to the current time.',
    ).orNull(),
  },
)
export type SubmitCreditApplicationInput = TypeOf<typeof SubmitCreditApplicationInput>

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
function moneyOf(
  money: { amount: string; currency: string } | null | undefined,
  pointer: string,
): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}
