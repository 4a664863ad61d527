import { declareEvents } from '../_kernel/events.ts'
import {
  amountMinor,
  currency,
  day,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  whole,
} from '../_kernel/event-data.ts'
import {
  applicationStatuses,
  closureReasons,
  decisionModes,
  isLoan,
  type LoanApplication,
} from './domain/application.ts'

/** What the applicant earns, owes and means to do with the money is not told; nor are reasons. */
const applicationData = record({
  applicationId: id,
  customerId: id,
  status: oneOf(applicationStatuses),
  decisionMode: oneOf(decisionModes),
  productId: orNull(id),
  quoteId: orNull(id),
  requestedMinor: orNull(amountMinor),
  currency: orNull(currency),
  termMonths: orNull(whole),
  submittedAt: orNull(instant),
  decisionId: orNull(id),
  approvedMinor: orNull(amountMinor),
  approvedTermMonths: orNull(whole),
  approvedRatePct: orNull(decimal),
  approvedAt: orNull(instant),
  offerExpiresAt: orNull(instant),
  acceptedAt: orNull(instant),
  coolingOffEndsOn: orNull(day),
  facilityId: orNull(id),
  agreementId: orNull(id),
  caseId: orNull(id),
  closureReason: orNull(oneOf(closureReasons)),
})

export const applicationEvents = declareEvents(
  {
    'lending.loan-application.created': 'There is a new application.',
    'lending.credit-application.submitted': 'An application is complete and waits for a decision.',
    'lending.credit-application.in-review': 'A person looks at an application.',
    'lending.credit-application.returned': 'An application waits for information of its applicant.',
    'lending.credit-application.decision-recorded':
      'A decision was recorded; the application says what came of it.',
    'lending.credit-application.recommended': 'The credit policy was asked; a person decides.',
    'lending.credit-application.approved': 'Credit was approved; its terms are open for a time.',
    'lending.credit-application.declined':
      'An application was closed without credit; closureReason says why.',
    'lending.credit-application.referred': 'A decision was left to somebody else.',
    'lending.credit-application.applicant-told':
      'The applicant was written to of a decision against them, with its reasons.',
    'lending.credit-application.notice-refused':
      'The applicant could not be written to yet; it is tried again.',
    'lending.loan-application.approved': 'A loan was approved; its terms are open for a time.',
    'lending.loan-application.declined': 'An application for a loan was closed without one.',
    'lending.loan-application.condition-met': 'A condition of an approval is met, or was given up.',
    'lending.loan-application.accepted':
      'The applicant took the terms; the time to step back runs.',
    'lending.loan-application.booking-refused':
      'The loan could not be made yet; it is tried again.',
    'lending.loan-application.booked': 'The loan of an application is there.',
    'lending.loan-application.case-opened':
      'An application has a case in which a person looks at it.',
    'lending.loan-application.case-closed': 'The case of a decided application has ended.',
  },
  applicationData,
)

export type ApplicationEvent = keyof typeof applicationEvents

/** What is told when an application is closed without credit; of a loan, that it is none too. */
export function declinedEvents(application: LoanApplication): ApplicationEvent[] {
  const credit = 'lending.credit-application.declined'
  return isLoan(application) ? [credit, 'lending.loan-application.declined'] : [credit]
}
