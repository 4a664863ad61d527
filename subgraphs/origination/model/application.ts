import type { Terms } from '../domain/terms.ts'
import { Recommendation } from './credit-policy.ts'
import { Condition, Acceptance } from './loan-terms.ts'
import { ApplicationStatus, DecisionMode, ClosureReason } from './enumerations.ts'
import {
  boolean,
  date,
  entity,
  enumeration,
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
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

const CheckStatusEnum = enumeration(
  'CreditCheckStatus',
  'The result of a check that is made when an application is submitted.',
  {
    passed: 'The application passed the check.',
    'not-needed': 'The check does not apply to the application.',
  },
)

export const Declaration = shape(
  'LoanDeclaration',
  'A statement made or consent given by the applicant.',
  {
    code: label('The code of the declaration, such as `credit-bureau-check`.'),
    accepted: boolean('Whether the applicant makes the statement or gives the consent.'),
  },
)
export type Declaration = TypeOf<typeof Declaration>

export const Check = shape('CreditCheck', 'A check made when the application was submitted.', {
  code: label(
    'The code of the check: `completeness`, `customer`, `identity`, `product`, `amount`, ' +
      '`term`, `quote` or `consent`.',
  ),
  status: oneOf(CheckStatusEnum, 'The result of the check.'),
})
export type Check = TypeOf<typeof Check>

/**
 * A customer's application for credit. The names "credit application" and "consumer loan
 * application" mean the same record.
 */
export const LoanApplication = entity(
  'LoanApplication',
  'applicationId',
  "A customer's application for a loan or a credit facility, from the draft to the " +
    'booked loan.',
  {
    applicationId: id('The ID of the application.'),
    quoteId: id(
      'The ID of the pricing quote on which the application is based; null if there is none.',
    ).orNull(),
    customerId: id('The ID of the customer who applies.'),
    status: oneOf(ApplicationStatus, 'The current lifecycle state of the application.'),
    decisionMode: oneOf(
      DecisionMode,
      'Who decides on the application. After a decision, the mode of that decision.',
    ),
    createdAt: instant('When the application was created, in UTC.'),
    updatedAt: instant('When the application last changed, in UTC.'),
    productId: id('The ID of the product applied for; null until one is chosen.').orNull(),
    productVersion: label(
      'The label of the product version, which is fixed when the application is submitted, or ' +
        'earlier by the quote; null before that.',
    ).orNull(),
    termMonths: integer('The requested term, in months; null if none was given.').orNull(),
    purpose: text(
      'The purpose of the loan as stated by the applicant; null if none was given.',
    ).orNull(),
    employedMonths: integer(
      'How long the applicant has been in the current employment, in months; null if not stated.',
    ).orNull(),
    settlementArrangementId: id(
      'The ID of the account to which the loan is paid out; null if none was given.',
    ).orNull(),
    channel: label(
      'The channel through which the application was made, such as `web`; null if none was given.',
    ).orNull(),
    declarations: list(
      object(Declaration),
      'The statements made and consents given by the applicant.',
    ),
    documents: list(id(), 'The IDs of the documents that belong to the application.'),
    checks: list(object(Check), 'The checks made on submission; empty for a draft.'),
    submittedAt: instant('When the application was submitted, in UTC; null for a draft.').orNull(),
    decisionDueBy: date(
      'The last day on which the applicant must be notified of the decision, which is 30 days ' +
        'after submission; null for a draft.',
    ).orNull(),
    informationRequested: text(
      'The information that the applicant must provide before processing continues; null if none ' +
        'is required.',
    ).orNull(),
    conditions: list(
      object(Condition),
      'The conditions that must be met before the terms can be accepted.',
    ),
    acceptances: list(object(Acceptance), 'The acceptances of the approved terms.'),
    approvedAt: instant(
      'When the application was approved, in UTC; null if it was not approved.',
    ).orNull(),
    termsHash: string(
      'The hash that identifies the approved terms or the terms of the counter-offer; null if ' +
        'there are none.',
    ).orNull(),
    offerExpiresAt: instant(
      'When the approved terms or the counter-offer expire, in UTC; null if there are no terms ' +
        'to accept.',
    ).orNull(),
    coolingOffEndsOn: date(
      'The last day on which the customer may withdraw from the loan without giving a reason, ' +
        'which is 14 days after acceptance (Directive (EU) 2023/2225, Article 26); null before ' +
        'acceptance.',
    ).orNull(),
    facilityId: id(
      'The ID of the facility, reserved when the application is approved; null before the ' +
        'approval, and after the application is closed without a loan.',
    ).orNull(),
    agreementId: id(
      'The ID of the loan agreement, reserved when the application is approved. The agreement is ' +
        'signed when the terms are accepted. Null before the approval, and after the application ' +
        'is closed without a loan.',
    ).orNull(),
    closureReason: oneOf(
      ClosureReason,
      'The reason why the application was closed without a loan; null unless it is declined.',
    ).orNull(),
    bookedAt: instant('When the loan was set up, in UTC; null until then.').orNull(),
    partyId: stored<string>(),
    /** The mode that was requested at creation. It takes precedence over the mode of the product. */
    requestedMode: stored<DecisionMode | null>(),
    /** The class of the product, set on submission; null before that. */
    productClass: stored<string | null>(),
    amountMinor: stored<bigint | null>(),
    currency: stored<string | null>(),
    /** The net monthly income, in minor units of `currency`; null if not stated. */
    incomeMinor: stored<bigint | null>(),
    /** The monthly payments on other debts, in minor units of `currency`; null if not stated. */
    obligationsMinor: stored<bigint | null>(),
    createdBy: stored<string>(),
    submittedBy: stored<string | null>(),
    submissionHash: stored<string | null>(),
    /**
     * If the product limits the open applications of a customer, each of them occupies a slot,
     * numbered from 1 to the limit. Null if there is no limit, or if the application is not open.
     */
    openSlot: stored<number | null>(),
    recommendation: object(
      Recommendation,
      'The recommendation of the credit policy; null before there is one.',
    )
      .orNull()
      .forBank(),
    /** The number of recorded decisions. */
    decisions: stored<number>(),
    decisionId: stored<string | null>(),
    approvedTerms: stored<Terms | null>(),
    counterOffer: stored<Terms | null>(),
    caseId: stored<string | null>(),
    /** Whether the review case was opened. It remains true after the case is closed. */
    isCaseOpen: stored<boolean>(),
    isCaseClosed: stored<boolean>(),
    closureNote: stored<string | null>(),
    /**
     * The problem code of the latest attempt to set up the loan if it failed; null otherwise.
     * `bookAfter` is the time of the next attempt.
     */
    bookingError: string(
      'The problem code with which the latest attempt to set up the loan failed; null if it did not fail.',
    )
      .orNull()
      .forBank(),
    bookAfter: stored<Date | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type LoanApplication = TypeOf<typeof LoanApplication>

/** The fields that are cleared when an application is closed without a loan. */
export const nothingReserved = {
  openSlot: null,
  offerExpiresAt: null,
  facilityId: null,
  agreementId: null,
} as const

/**
 * The status changes. The specification defines the statuses but not the transitions. An
 * `applicationId` among the arguments only describes the ID more precisely.
 */
export const applicationStates = stateMachine(
  LoanApplication,
  'status',
  {
    startCreditReview: {
      description: 'Moves a submitted application into manual review and opens a case for it.',
      scope: 'credit:decide',
      from: ['submitted'],
      to: 'in-review',
      event: ['lending.credit-application.in-review', 'A loan application entered manual review.'],
      args: { applicationId: id('The ID of the submitted application.') },
      set: () => ({ informationRequested: null }),
    },
    returnLoanApplication: {
      description: 'Returns an application to the applicant for more information.',
      scope: 'credit:decide',
      from: ['in-review'],
      to: 'submitted',
      event: [
        'lending.credit-application.returned',
        'A loan application was returned to the applicant for more information.',
      ],
      args: {
        applicationId: id('The ID of the application in review.'),
        informationRequested: text('The information that the applicant must provide.').named(
          'wanted',
        ),
      },
      set: () => ({ recommendation: null, counterOffer: null, offerExpiresAt: null }),
    },
    withdrawLoanApplication: {
      description:
        'Withdraws a loan application on behalf of the applicant. Rejected after the terms have ' +
        'been accepted.',
      scope: 'credit:submit',
      from: ['draft', 'submitted', 'in-review', 'approved'],
      to: 'declined',
      event: [
        'lending.credit-application.declined',
        'An application for credit was closed without credit. `closureReason` gives the reason.',
      ],
      args: { closureNote: text('The reason for the withdrawal.').orNull().named('reason') },
      set: () => ({ ...nothingReserved, closureReason: 'withdrawn-by-customer' }),
      isForDelegatedUsers: true,
    },
  },
  {
    draft: ['submitted'],
    submitted: ['approved'],
    'in-review': ['approved'],
    approved: ['accepted'],
    accepted: ['booked'],
  },
)
