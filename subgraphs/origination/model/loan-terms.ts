import {
  stored,
  type TypeOf,
  date,
  decimal,
  id,
  instant,
  integer,
  label,
  money,
  oneOf,
  shape,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { ConditionStatus } from './enumerations.ts'

export const LoanTerms = shape(
  'LoanTerms',
  'The terms on which a loan or a credit facility is granted.',
  {
    amount: money('The amount of the loan or the limit of the facility.'),
    termMonths: integer('The term, in months; null for a revolving limit.').orNull(),
    ratePct: decimal('The interest rate, in percent per year.'),
    productId: id('The ID of the product.'),
    productVersion: label('The label of the product version.'),
    quoteId: id(
      'The ID of the pricing quote from which the rate was taken; null if the rate does not come ' +
        'from a quote.',
    ).orNull(),
  },
)
export type LoanTerms = TypeOf<typeof LoanTerms>

export const Condition = shape(
  'LoanCondition',
  'A condition that must be met before the terms of an approval can be accepted.',
  {
    code: label('The code of the condition, unique within the approval.'),
    description: text('A description of the condition; null if none was given.').orNull(),
    dueBy: date('The day by which the condition should be met; null if none was given.').orNull(),
    status: oneOf(ConditionStatus, 'The state of the condition.'),
    at: instant(
      'When the condition was fulfilled or waived, in UTC; null while it is open.',
    ).orNull(),
    /** The person or client that recorded that the condition was met or waived; null until then. */
    by: stored<string | null>(),
    note: stored<string | null>(),
  },
)
export type Condition = TypeOf<typeof Condition>

export const Acceptance = shape(
  'LoanAcceptance',
  "A customer's acceptance of the approved terms.",
  {
    customerId: id('The ID of the customer who accepted the terms.'),
    acceptedAt: instant('When the customer accepted the terms, in UTC.'),
    acceptanceChannel: label('The channel through which the customer accepted the terms.'),
    signatureReference: label(
      'The reference of the signature that proves the acceptance; null if there is none.',
    ).orNull(),
    termsHash: string('The hash that identifies the accepted terms.'),
    recordedAt: instant('When the acceptance was recorded, in UTC.'),
    recordedBy: stored<string>(),
  },
)
export type Acceptance = TypeOf<typeof Acceptance>
