import { DecisionMode } from './enumerations.ts'
import {
  amount,
  date,
  decimal,
  float,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const CreditReasonInput = input('CreditReasonInput', 'A reason for a credit decision.', {
  code: label(
    'The code of a principal reason of form C-1 (12 CFR Part 1002, Appendix C), such as ' +
      '`income-insufficient`, or another code with its own `text`.',
  ),
  text: text(
    'The reason in words, as stated to the applicant. For the codes of form C-1, defaults to ' +
      'the wording of the form. Required for other codes.',
  ).orNull(),
})
export type CreditReasonInput = TypeOf<typeof CreditReasonInput>

export const ConditionRequest = input(
  'LoanConditionInput',
  'A condition that must be met before the terms of an approval can be accepted.',
  {
    code: label('The code of the condition, unique within the decision.'),
    description: text('A description of the condition.').orNull(),
    dueBy: date('The day by which the condition should be met.').orNull(),
  },
)
export type ConditionRequest = TypeOf<typeof ConditionRequest>

export const ApprovedTermsInput = input(
  'ApprovedTermsInput',
  'The terms in which an approval or a counter-offer differs from the application. An omitted ' +
    'product, amount or term is the requested one.',
  {
    amount: amount(
      'The approved amount, within the range of the product. An amount without a currency is in ' +
        'the currency of the application.',
    ).orNull(),
    termMonths: integer('The approved term, in months, within the range of the product.').orNull(),
    ratePct: decimal(
      'The approved interest rate, in percent per year. Defaults to the rate of the quote, or to ' +
        'the rate of the product if there is no quote.',
    ).orNull(),
    productId: id('The ID of a product other than the one applied for.').orNull(),
    quoteId: id('The ID of a pricing quote other than the one in the application.').orNull(),
  },
)
export type ApprovedTermsInput = TypeOf<typeof ApprovedTermsInput>

export const CreditScoreInput = input('CreditScoreInput', 'The result of a scoring model.', {
  model: label('The name of the scoring model.'),
  version: label('The version of the scoring model.').orNull(),
  value: float('The value of the score, on the scale of the scoring model.'),
  cutoff: float('The lowest score at which the model recommends approval.').orNull(),
})
export type CreditScoreInput = TypeOf<typeof CreditScoreInput>

export const RecordCreditDecisionInput = input(
  'RecordCreditDecisionInput',
  'The credit decision to record.',
  {
    applicationId: id('The ID of the application.'),
    outcome: label(
      'The outcome: `approved`, `declined`, `referred` or `counter-offer`, in any letter case. ' +
        'Also accepted: `approve`, `decline` and `refer`. Required unless `decision` is sent.',
    ).orNull(),
    decision: label('An alias of `outcome`. It is used if `outcome` is omitted.').orNull(),
    decisionMode: oneOf(
      DecisionMode,
      'Whether the credit policy or a person decided. Defaults to `MANUAL`.',
    ).orNull(),
    decidedBy: label(
      'The ID of the person who decided. Defaults to the caller. A client can name only people ' +
        'for whom it is registered to act (`actsFor`).',
    ).orNull(),
    decidedAt: instant(
      'When the decision was made, not in the future and not before the submission. Defaults to ' +
        'the current time.',
    ).orNull(),
    reasons: list(
      object(CreditReasonInput),
      'The reasons for the decision, most important first, at most four. A decline or a ' +
        'counter-offer requires at least one.',
    ).orNull(),
    conditions: list(
      object(ConditionRequest),
      'The conditions of an approval or a counter-offer, at most 20.',
    ).orNull(),
    approvedTerms: object(
      ApprovedTermsInput,
      'The terms in which an approval or a counter-offer differs from the application.',
    ).orNull(),
    score: object(
      CreditScoreInput,
      'The result of the scoring model on which the decision is based.',
    ).orNull(),
    policyVersion: label(
      'The version of the credit policy that the decision follows. Required if `decisionMode` is ' +
        '`AUTOMATED`.',
    ).orNull(),
    expiresAt: instant(
      'When the approved or offered terms expire, in the future. Defaults to 30 days after the ' +
        'decision. If the quote expires earlier, the terms expire with the quote.',
    ).orNull(),
    overrideOf: id(
      'The ID of the earlier decision on the same application that this decision replaces.',
    ).orNull(),
    comment: text('An internal comment, not visible to the applicant.').orNull(),
  },
)
export type RecordCreditDecisionInput = TypeOf<typeof RecordCreditDecisionInput>

export const AcceptLoanTermsInput = input(
  'AcceptLoanTermsInput',
  'The acceptance of the approved terms.',
  {
    applicationId: id('The ID of the approved application.'),
    acceptedAt: instant(
      'When the customer accepted the terms, not in the future and not before the approval.',
    ),
    acceptanceChannel: label(
      'The channel through which the customer accepted the terms, such as `web`, `mobile`, ' +
        '`branch`, `phone`, `partner` or `secure-message`.',
    ),
    signatureReference: label(
      'The reference of the signature that proves the acceptance. Required when the product ' +
        'requires a signature.',
    ).orNull(),
  },
)
export type AcceptLoanTermsInput = TypeOf<typeof AcceptLoanTermsInput>
