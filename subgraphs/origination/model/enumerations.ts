import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const ConditionStatus = enumeration(
  'LoanConditionStatus',
  'The state of a condition of an approval.',
  {
    open: 'The condition has not been met.',
    fulfilled: 'The condition was met.',
    waived: 'The bank no longer requires the condition.',
  },
)
export type ConditionStatus = TypeOf<typeof ConditionStatus>

export const ApplicationStatus = enumeration(
  'LoanApplicationStatus',
  'The lifecycle state of a loan application.',
  {
    draft: 'The application is being filled in and has not been submitted.',
    submitted:
      'The application was submitted and waits for a decision, or was returned to the applicant ' +
      'for more information.',
    'in-review':
      'A credit officer is reviewing the application, or the applicant has to decide on a ' +
      'counter-offer.',
    approved: 'The application was approved and the applicant can accept the terms.',
    declined:
      'The application was closed without a loan; `closureReason` contains the reason. This ' +
      'state is final.',
    accepted: 'The applicant accepted the terms and the loan is being set up.',
    booked: 'The loan was set up. This state is final.',
  },
)
export type ApplicationStatus = TypeOf<typeof ApplicationStatus>

export const DecisionMode = enumeration('DecisionMode', 'Who decides on a loan application.', {
  automated: 'The credit policy decides and refers borderline applications to a person.',
  hybrid: 'The credit policy makes a recommendation and a person decides.',
  manual: 'A person decides without a recommendation.',
})
export type DecisionMode = TypeOf<typeof DecisionMode>

export const ClosureReason = enumeration(
  'LoanApplicationClosureReason',
  'The reason why a loan application was closed without a loan.',
  {
    'credit-decision': 'The application was declined by a credit decision.',
    revoked: 'The approval was revoked before the terms were accepted.',
    'withdrawn-by-customer':
      'The applicant withdrew the application or rejected the counter-offer.',
    expired: 'The applicant did not accept the terms or the counter-offer in time.',
  },
)
export type ClosureReason = TypeOf<typeof ClosureReason>

export const DecisionOutcome = enumeration(
  'CreditDecisionOutcome',
  'The outcome of a credit decision.',
  {
    approved: 'The application is approved, and the applicant can accept the terms.',
    declined: 'The application is declined, or an earlier approval is revoked.',
    referred: 'The application is referred to a person for review.',
    'counter-offer':
      'The bank offers terms other than the requested ones. The applicant can accept or reject ' +
      'them.',
  },
)
export type DecisionOutcome = TypeOf<typeof DecisionOutcome>
