import { ApplicationStatus, DecisionMode, ClosureReason } from './model/enumerations.ts'
import { applicationStates, LoanApplication } from './model/application.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import {
  amountMinor,
  currency,
  date,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  integer,
} from '../../kernel/events/event-data.ts'
import { isLoan } from './domain/application.ts'

/**
 * The data of application events. It omits income, obligations, purpose and reasons, which are
 * personal data.
 */
const applicationData = record({
  applicationId: id,
  customerId: id,
  status: oneOf(ApplicationStatus.values),
  decisionMode: oneOf(DecisionMode.values),
  productId: orNull(id),
  quoteId: orNull(id),
  requestedMinor: orNull(amountMinor),
  currency: orNull(currency),
  termMonths: orNull(integer),
  submittedAt: orNull(instant),
  decisionId: orNull(id),
  approvedMinor: orNull(amountMinor),
  approvedTermMonths: orNull(integer),
  approvedRatePct: orNull(decimal),
  approvedAt: orNull(instant),
  offerExpiresAt: orNull(instant),
  acceptedAt: orNull(instant),
  coolingOffEndsOn: orNull(date),
  facilityId: orNull(id),
  agreementId: orNull(id),
  caseId: orNull(id),
  closureReason: orNull(oneOf(ClosureReason.values)),
})

declareSubject('loan-application', LoanApplication)

export const applicationEvents = declareEvents(
  {
    'lending.loan-application.created': 'A loan application was created.',
    'lending.credit-application.submitted': 'A loan application was submitted for decision.',
    'lending.credit-application.decision-recorded':
      'A credit decision on a loan application was recorded.',
    'lending.credit-application.recommended':
      'The credit policy recommended an outcome. A person decides.',
    'lending.credit-application.approved':
      'An application for credit was approved. The terms can be accepted until they expire.',
    'lending.credit-application.referred': 'An application for credit was referred to a person.',
    'lending.credit-application.applicant-told':
      'An adverse action notice was sent to the applicant.',
    'lending.credit-application.notice-refused':
      'An adverse action notice could not be sent. It will be retried.',
    'lending.loan-application.approved':
      'An application for a loan was approved. The terms can be accepted until they expire.',
    'lending.loan-application.declined': 'An application for a loan was closed without a loan.',
    'lending.loan-application.condition-met': 'A condition of an approval was fulfilled or waived.',
    'lending.loan-application.accepted':
      'The applicant accepted the approved terms. The withdrawal period has begun.',
    'lending.loan-application.booking-refused':
      'An accepted loan could not be set up. It will be retried.',
    'lending.loan-application.booked': 'The loan of an application was set up.',
    'lending.loan-application.case-opened':
      'A case was opened for the manual review of an application.',
    'lending.loan-application.case-closed': 'The case of a decided application was closed.',
    ...eventsOf(applicationStates),
  },
  applicationData,
)

export type ApplicationEvent = keyof typeof applicationEvents

/**
 * Returns the types of the events for an application that is closed without credit. An application
 * for a loan has an additional event.
 */
export function declinedEvents(application: LoanApplication): ApplicationEvent[] {
  const credit = 'lending.credit-application.declined'
  return isLoan(application) ? [credit, 'lending.loan-application.declined'] : [credit]
}
