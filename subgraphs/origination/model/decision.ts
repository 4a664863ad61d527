import { Reason, Score } from './credit-policy.ts'
import { Condition } from './loan-terms.ts'
import { Check } from './application.ts'
import type { Terms } from '../domain/terms.ts'
import {
  date,
  id,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { DecisionOutcome, DecisionMode, ApplicationStatus } from './enumerations.ts'

export const CreditDecision = shape(
  'CreditDecision',
  'A credit decision on a loan application. A recorded decision never changes.',
  {
    decisionId: id('The ID of the decision.'),
    applicationId: id('The ID of the application.'),
    number: integer(
      'The sequence number of the decision among the decisions on the application, starting ' +
        'at 1.',
    ),
    outcome: oneOf(DecisionOutcome, 'The outcome of the decision.'),
    decisionMode: oneOf(DecisionMode, 'Whether the credit policy or a person decided.'),
    applicationStatus: oneOf(ApplicationStatus, 'The state of the application after the decision.'),
    reasons: list(object(Reason), 'The reasons for the decision, most important first.'),
    conditions: list(
      object(Condition),
      'The conditions of the approval or the counter-offer, as they were when the decision was ' +
        'recorded.',
    ),
    policyVersion: label(
      'The version of the credit policy that the decision followed; null if none was given.',
    ).orNull(),
    decidedAt: instant('When the decision was made, in UTC.'),
    expiresAt: instant(
      'When the approved or offered terms expire, in UTC; null if the decision grants no terms.',
    ).orNull(),
    overrideOf: id(
      'The ID of the earlier decision that this decision replaces; null if it replaces none.',
    ).orNull(),
    adverseActionNoticeDueBy: date(
      'The last day on which the applicant must be notified of the decision (12 CFR ' +
        '1002.9(a)(1)); null unless the decision is a decline or a counter-offer.',
    ).orNull(),
    facilityId: id(
      'The ID of the facility, reserved when the application is approved; null if the decision ' +
        'does not approve the application.',
    ).orNull(),
    partyId: stored<string>(),
    /** The terms of an approval or a counter-offer; null otherwise. */
    approvedTerms: stored<Terms | null>(),
    score: object(
      Score,
      'The result of the scoring model on which the decision is based; null if none was given.',
    )
      .orNull()
      .forBank(),
    decidedBy: string('The ID of the person or the credit policy that decided.').forBank(),
    recordedBy: string('The ID of the person or client that recorded the decision.').forBank(),
    recordedAt: stored<Date>(),
    comment: text('The internal comment of the decider; null if none was given.')
      .orNull()
      .forBank(),
  },
)
export type CreditDecision = TypeOf<typeof CreditDecision>

export const DecisionNotice = shape(
  'CreditDecisionNotice',
  'The adverse action notice that informs the applicant of a decline or a counter-offer. It is ' +
    "sent to the applicant's secure inbox.",
  {
    notifiedAt: instant(
      'When the notice was sent, in UTC; null until it is sent. The delivery status is in ' +
        '`notification`.',
    ).orNull(),
    decisionId: stored<string>(),
    /** The legal due date. */
    dueBy: stored<string>(),
    /** When the next attempt is due; null after the notice was sent. */
    nextAt: stored<Date | null>(),
    refusal: string(
      'The problem code with which the latest attempt to send the notice failed; null if it did not fail.',
    )
      .orNull()
      .forBank(),
    notificationId: stored<string | null>(),
  },
)
export type DecisionNotice = TypeOf<typeof DecisionNotice>

export const CreditSubmission = shape(
  'CreditSubmission',
  'The confirmation of a submitted application.',
  {
    applicationId: id('The ID of the submitted application.'),
    status: oneOf(
      ApplicationStatus,
      'The state of the application after submission, always `SUBMITTED`.',
    ),
    submittedAt: instant('When the application was submitted, in UTC.'),
    decisionMode: oneOf(DecisionMode, 'Who decides on the application.'),
    checks: list(object(Check), 'The checks made on submission.'),
    decisionDueBy: date(
      'The last day on which the applicant must be notified of the decision, which is 30 days ' +
        'after submission.',
    ),
  },
)

export const CreditAuthority = shape(
  'CreditAuthority',
  'The credit authority of a person: the maximum amount the person may approve alone, ' +
    'in one currency.',
  {
    decider: label('The ID of the person who holds the authority, as in `decidedBy`.'),
    grantedAt: instant('When the authority was granted, in UTC.'),
    currency: stored<string>(),
    limitMinor: stored<bigint>(),
    grantedBy: stored<string>(),
  },
)
export type CreditAuthority = TypeOf<typeof CreditAuthority>
