import type { ProblemMembers } from './problem-members.ts'

/**
 * The one error catalogue. A thrown `Problem` is the caller's to fix and reaches REST (RFC 9457)
 * and the graph (`errors[].extensions`) with the same members; anything else thrown is our bug and
 * is masked as `INTERNAL`.
 */

/** What a code means on the wire: HTTP status, one-line title, and whether the same request may succeed later. */
export interface ProblemKind {
  status: number
  title: string
  retryable?: true
}

const kind = (status: number, title: string): ProblemKind => ({ status, title })
const retry = (status: number, title: string): ProblemKind => ({ status, title, retryable: true })

/** Ordered as the checks are: protocol, caller, shape, idempotency, object, state, rule, ourselves. */
export const catalogue = {
  BAD_REQUEST: kind(400, 'The request is not valid HTTP.'),
  REQUEST_TIMEOUT: retry(408, 'The request took too long to arrive.'),
  PAYLOAD_TOO_LARGE: kind(413, 'The body is larger than this operation takes.'),
  HEADERS_TOO_LARGE: kind(431, 'The headers are larger than the service takes.'),
  ROUTE_NOT_FOUND: kind(404, 'No such path.'),
  METHOD_NOT_ALLOWED: kind(405, 'The path does not have this method.'),
  UNAUTHENTICATED: kind(401, 'A bearer token is required.'),
  TOKEN_INVALID: kind(401, 'The bearer token is not valid here.'),
  TOKEN_EXPIRED: kind(401, 'The bearer token has expired.'),
  INSUFFICIENT_SCOPE: kind(403, 'The token lacks the scope for this operation.'),
  NOT_FOR_DELEGATED_USERS: kind(403, 'The bank does this, not a user on their own behalf.'),
  NOT_ENTITLED: kind(403, 'Nobody entitled the caller to that much.'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'The body must be application/json in UTF-8, not compressed.'),
  NOT_ACCEPTABLE: kind(406, 'The answer is only available as application/json.'),
  IDEMPOTENCY_KEY_MISSING: kind(400, 'This operation needs an Idempotency-Key header.'),
  IDEMPOTENCY_KEY_INVALID: kind(
    400,
    'The idempotency key is not 1 to 80 visible ASCII characters.',
  ),
  REQUEST_ID_INVALID: kind(400, 'X-Request-Id is not 1 to 80 visible ASCII characters.'),
  MALFORMED_JSON: kind(400, 'The body is not well-formed JSON.'),
  VALIDATION_FAILED: kind(400, 'The request does not have the documented shape.'),
  UNKNOWN_PROPERTY: kind(400, 'The request has a member that is not documented.'),
  PAGE_SIZE_INVALID: kind(400, 'pageSize is not a whole number from 1 to 200.'),
  PAGE_TOKEN_INVALID: kind(400, 'The page token was not issued for this listing.'),
  PAGE_TOKEN_EXPIRED: kind(400, 'The page token is older than three days.'),
  GRAPHQL_PARSE_FAILED: kind(400, 'The GraphQL document cannot be parsed.'),
  GRAPHQL_VALIDATION_FAILED: kind(400, 'The GraphQL document does not fit the schema.'),
  QUERY_TOO_COMPLEX: kind(400, 'The GraphQL document is larger than the service takes.'),
  IDEMPOTENCY_IN_PROGRESS: retry(409, 'A request with this idempotency key is still running.'),
  IDEMPOTENCY_KEY_REUSED: kind(422, 'The idempotency key was used for another request.'),

  AGENT_NOT_FOUND: kind(404, 'No such agent.'),
  AGREEMENT_NOT_FOUND: kind(404, 'No such agreement.'),
  APPLICATION_NOT_FOUND: kind(404, 'No such credit or loan application.'),
  ARRANGEMENT_NOT_FOUND: kind(404, 'No such account arrangement.'),
  CAMPAIGN_NOT_FOUND: kind(404, 'No such campaign.'),
  CASE_NOT_FOUND: kind(404, 'No such case.'),
  COLLATERAL_NOT_FOUND: kind(404, 'No such collateral.'),
  CHANNEL_NOT_FOUND: kind(404, 'No such channel.'),
  CONDITION_NOT_FOUND: kind(404, 'The approval has no such condition.'),
  CONTACT_POINT_NOT_FOUND: kind(404, 'The party has no such contact point.'),
  CONTENT_NOT_FOUND: kind(404, 'No such content, or the address was not issued by the bank.'),
  CUSTOMER_NOT_FOUND: kind(404, 'No such customer.'),
  DRAWDOWN_NOT_FOUND: kind(404, 'No such drawdown.'),
  DECISION_NOT_FOUND: kind(404, 'The application has no such decision.'),
  DOCUMENT_NOT_FOUND: kind(404, 'No such document.'),
  ENTITLEMENT_NOT_FOUND: kind(404, 'No such entitlement.'),
  FACILITY_NOT_FOUND: kind(404, 'No such facility.'),
  EXTRA_PAYMENT_NOT_FOUND: kind(404, 'No such extra payment.'),
  FEE_NOT_FOUND: kind(404, 'The product has no such fee.'),
  FEE_RUN_NOT_FOUND: kind(404, 'No such fee run.'),
  HARDSHIP_REQUEST_NOT_FOUND: kind(404, 'No such hardship request.'),
  INTERACTION_NOT_FOUND: kind(404, 'No such interaction.'),
  JOB_NOT_FOUND: kind(404, 'No such job.'),
  LOAN_NOT_FOUND: kind(404, 'No such loan.'),
  NOTIFICATION_NOT_FOUND: kind(404, 'No such notification.'),
  EVENT_NOT_FOUND: kind(404, 'No such business event for this client.'),
  OAUTH_CLIENT_NOT_FOUND: kind(404, 'No such client.'),
  OFFER_NOT_FOUND: kind(404, 'No such product offer.'),
  PAYMENT_NOT_FOUND: kind(404, 'No such payment.'),
  PAYMENT_HOLIDAY_NOT_FOUND: kind(404, 'No such payment holiday.'),
  POSTING_INSTRUCTION_NOT_FOUND: kind(404, 'No such posting instruction.'),
  PARTY_NOT_FOUND: kind(404, 'No such party.'),
  PRODUCT_NOT_FOUND: kind(404, 'No such product, or not in that version.'),
  QUEUE_NOT_FOUND: kind(404, 'No such queue.'),
  QUOTE_NOT_FOUND: kind(404, 'No such pricing quote.'),
  REPAYMENT_NOT_FOUND: kind(404, 'No such repayment.'),
  ROUTING_PROFILE_NOT_FOUND: kind(404, 'No such routing profile.'),
  ASSISTANT_NOT_FOUND: kind(404, 'No such version of an assistant.'),
  SESSION_NOT_FOUND: kind(404, 'No such assist session.'),
  STANDING_ORDER_NOT_FOUND: kind(404, 'No such standing order.'),
  SUBSCRIPTION_NOT_FOUND: kind(404, 'No such event subscription.'),
  TOOL_CALL_NOT_FOUND: kind(404, 'No such tool call.'),
  TEMPLATE_NOT_FOUND: kind(404, 'No such notification template.'),
  UPLOAD_NOT_FOUND: kind(404, 'No such upload, or it was used or has expired.'),
  WEBHOOK_DELIVERY_NOT_FOUND: kind(404, 'No such webhook delivery.'),
  WEBHOOK_ENDPOINT_NOT_FOUND: kind(404, 'No such webhook endpoint.'),
  CONTENT_ADDRESS_EXPIRED: kind(410, 'The address has expired; ask for a new one.'),

  RESOURCE_EXISTS: kind(409, 'The id is taken by a record with other content.'),
  SUBSCRIPTION_ALREADY_EXISTS: kind(409, 'The id is taken by another event subscription.'),
  TEMPLATE_ALREADY_EXISTS: kind(409, 'The template id is taken by a template with other content.'),
  STATE_CONFLICT: kind(409, 'The record is not in a state that allows this.'),
  INVALID_STATE_TRANSITION: kind(409, 'The record cannot move to that state from its current one.'),
  VERSION_CONFLICT: retry(409, 'The record changed while the request ran.'),
  ARRANGEMENT_ALREADY_EXISTS: kind(409, 'The id is taken by another account arrangement.'),
  ARRANGEMENT_NOT_EMPTY: kind(409, 'An account is closed when nothing is on it.'),
  PRODUCT_VERSION_EXISTS: kind(409, 'The product has that version, with other content.'),
  ALREADY_REVERSED: kind(409, 'The posting was taken back before.'),
  AUTHORISATION_ALREADY_CLOSED: kind(409, 'Nothing of the authorisation is open any more.'),
  AUTHORISATION_EXPIRED: kind(409, 'The time of the authorisation is over.'),
  CLIENT_BATCH_ID_REUSED: kind(409, 'The client batch id names another batch.'),
  CLIENT_TRANSACTION_ID_REUSED: kind(409, 'The client transaction id names another authorisation.'),
  FACILITY_NOT_ACTIVE: kind(409, 'The facility is not in use.'),
  ALREADY_ACCEPTED: kind(409, 'The terms were accepted like this before.'),
  APPLICATION_ALREADY_DECIDED: kind(409, 'The application waits for no decision any more.'),
  APPLICATION_ALREADY_SUBMITTED: kind(409, 'The application was submitted like this before.'),
  APPLICATION_NOT_SUBMITTED: kind(409, 'The application was not submitted yet.'),
  CONDITIONS_NOT_MET: kind(409, 'Conditions of the approval are not met yet.'),
  NO_COUNTER_OFFER: kind(409, 'No counter-offer waits for an answer.'),
  OFFER_EXPIRED: kind(409, 'The time to take the terms is over.'),
  OPEN_REQUEST_EXISTS: kind(409, 'The customer has as many open applications as allowed.'),
  LOAN_NOT_ELIGIBLE_STATE: kind(409, 'The terms of a loan in that state do not change.'),
  OVERLAPPING_HOLIDAY: kind(409, 'There is a payment holiday in that time.'),
  PROFILE_IN_USE: kind(409, 'Agents or other profiles rely on the routing profile.'),
  ROUTING_PROFILE_NAME_EXISTS: kind(409, 'Another routing profile has that name.'),
  COLLATERAL_IDENTIFIER_IN_USE: kind(409, 'Another collateral is known by that identifier.'),
  CONTENT_ALREADY_RECEIVED: kind(409, 'The upload has its content, which is never replaced.'),
  CONTENT_NOT_RECEIVED: kind(409, 'Nothing was sent to the address of the upload yet.'),
  ASSISTANT_DISABLED: kind(409, 'The assistant is switched off.'),
  SESSION_NOT_ACTIVE: kind(409, 'The session has ended.'),
  SESSION_BUSY: retry(409, 'The assistant is still answering.'),
  APPROVAL_PENDING: kind(409, 'The session waits for the approval of another person.'),
  APPROVAL_EXPIRED: kind(409, 'The time to approve is over.'),
  ARGUMENTS_CHANGED: kind(409, 'What is approved is not what would be done now.'),
  CLOCK_NOT_MOVABLE: kind(409, 'Only the clock of the sandbox can be moved.'),
  SIMULATION_NOT_AVAILABLE: kind(409, 'Only in the sandbox is the world outside simulated.'),

  ACCEPTED_AT_IN_FUTURE: kind(422, 'Terms are not accepted in the future.'),
  ACCEPTED_BEFORE_APPROVAL: kind(422, 'Terms are not accepted before they were approved.'),
  ACCOUNT_NUMBER_NOT_FOUND: kind(422, 'The bank has no account with that number.'),
  APPLICATION_INCOMPLETE: kind(422, 'The application lacks what a decision needs.'),
  ARRANGEMENT_BLOCKED: kind(422, 'Money does not move that way on the account now.'),
  ARRANGEMENT_CLOSED: kind(422, 'The account is closed.'),
  AUTHORISATION_NOT_FOUND: kind(422, 'No authorisation has that client transaction id.'),
  BATCH_TOO_LARGE: kind(422, 'A batch has at most 1,000 instructions.'),
  FEE_PERIOD_INVALID: kind(422, 'No period of the fee begins on that day.'),
  FEE_RUN_NOT_REVERSIBLE: kind(422, 'That fee run charged nothing that could be taken back.'),
  DESTINATION_NOT_REACHABLE: kind(422, 'No rail of the bank reaches that account so.'),
  EXECUTION_DATE_OUT_OF_RANGE: kind(422, 'The date is in the past, or too far ahead.'),
  INSUFFICIENT_FUNDS: kind(422, 'The account does not have that much available.'),
  INTERNAL_ACCOUNT_NOT_FOUND: kind(422, 'The bank has no account of its own with that code.'),
  INVALID_IBAN: kind(422, 'The account number is no IBAN.'),
  INVALID_AMOUNT: kind(422, 'The amount is not one that can be moved.'),
  LIMIT_EXCEEDED: kind(422, 'The amount is beyond a limit.'),
  POSTING_NOT_REVERSIBLE: kind(422, 'That is no posting that can be taken back.'),
  SAME_ACCOUNT: kind(422, 'Debtor and creditor are one account.'),
  SETTLEMENT_EXCEEDS_AUTHORISATION: kind(422, 'More is settled than was authorised.'),
  UNBALANCED_ENTRIES: kind(422, 'Debits and credits differ.'),
  VALUE_DATE_OUT_OF_WINDOW: kind(422, 'The value date is too far from today.'),
  INVALID_INITIAL_STATUS: kind(422, 'A new record cannot start in that state.'),
  INSTALMENT_ALREADY_PAID: kind(422, 'An instalment that is paid does not change.'),
  INVALID_DATE_RANGE: kind(422, 'The dates do not follow each other.'),
  KYC_INCOMPLETE: kind(422, 'The identity of the customer is not established.'),
  AMOUNT_OUT_OF_RANGE: kind(422, 'The product is not offered for that amount.'),
  ARRANGEMENT_LIMIT_REACHED: kind(422, 'The customer has as many of this product as allowed.'),
  BACKDATE_NOT_ALLOWED: kind(422, 'The date is too far back, or the token may not backdate.'),
  CONSENT_REQUIRED: kind(422, 'Whom it is about has to agree first.'),
  CURRENCY_MISMATCH: kind(422, 'The amount is in another currency than the account.'),
  CURRENCY_NOT_OFFERED: kind(422, 'The product is not offered in that currency.'),
  CUSTOMER_NOT_ACTIVE: kind(422, 'The customer does no new business.'),
  DECIDED_AT_IN_FUTURE: kind(422, 'A decision is not recorded before it is taken.'),
  DECLINE_REASONS_REQUIRED: kind(422, 'The applicant is told one to four specific reasons.'),
  INVALID_OUTCOME: kind(422, 'That is no outcome of a decision.'),
  OFFER_NOT_PERSONALISED: kind(422, 'An offer to everybody is not accepted by one customer.'),
  OPENED_AT_IN_FUTURE: kind(422, 'An account is not opened in the future.'),
  OUTCOME_REQUIRED: kind(422, 'A decision says what was decided.'),
  PARAMETER_OUT_OF_RANGE: kind(422, 'A parameter is not one that the product allows.'),
  PRODUCT_CLASS_NOT_OPENABLE: kind(422, 'Products of that class are catalogued, not opened.'),
  POLICY_VERSION_REQUIRED: kind(422, 'An automated decision names its policy.'),
  PRODUCT_NOT_LENDABLE: kind(422, 'The product is no credit.'),
  PRODUCT_NOT_ACTIVE: kind(422, 'The product is not on offer now.'),
  CAMPAIGN_NOT_APPLICABLE: kind(422, 'The campaign does not apply to this.'),
  QUOTE_EXPIRED: kind(422, 'The price is no longer good.'),
  QUOTE_MISMATCH: kind(422, 'The price was quoted for something else.'),
  SIGNATURE_REQUIRED: kind(422, 'The product is taken with a signature.'),
  SUBMITTED_AT_IN_FUTURE: kind(422, 'An application is not submitted in the future.'),
  TERMS_OUT_OF_POLICY: kind(422, 'The product is not offered on those terms.'),
  TERM_OUT_OF_RANGE: kind(422, 'The product is not offered for that term.'),
  BELOW_MINIMUM_DRAWDOWN: kind(422, 'The facility is not drawn in such small amounts.'),
  EXCEEDS_PAYOFF_AMOUNT: kind(422, 'That is more than is owed.'),
  INVALID_PAYMENT_DATE: kind(422, 'A payment does not count for that day.'),
  FACILITY_IN_ARREARS: kind(422, 'Nothing more is lent while instalments are overdue.'),
  INSUFFICIENT_COLLATERAL: kind(422, 'The collateral does not cover what would be owed.'),
  OUTSIDE_AVAILABILITY_PERIOD: kind(422, 'The facility is not available on that day.'),
  OVER_ALLOCATED: kind(422, 'More is allocated than the collateral is good for.'),
  OWNERSHIP_EXCEEDS_100: kind(422, 'The shares of the owners come to more than all of it.'),
  VALUATION_DATE_IN_FUTURE: kind(422, 'A valuation cannot be of a day in the future.'),
  VALUATION_REQUIRED: kind(422, 'The collateral has not been valued.'),
  CONTENT_REQUIRED: kind(422, 'There is no question.'),
  CONTENT_TOO_LONG: kind(422, 'The question is too long.'),
  ROLE_NOT_ALLOWED: kind(422, 'A client says only what the user says.'),
  BELOW_MINIMUM_EXTRA_PAYMENT: kind(422, 'The product takes no such small extra payments.'),
  END_AFTER_MATURITY: kind(422, 'The loan ends before that.'),
  HOLIDAY_ALLOWANCE_EXCEEDED: kind(422, 'The product allows fewer or shorter payment holidays.'),
  NO_INSTALMENT_IN_PERIOD: kind(422, 'No instalment is due in that time.'),
  NOT_SUPPORTED_FOR_REVOLVING: kind(422, 'A revolving limit has no instalments to pause.'),
  PERIOD_TOO_LONG: kind(422, 'The relief would last longer than the product allows.'),
  SEASONING_NOT_MET: kind(422, 'A payment holiday needs more instalments before it.'),
  START_DATE_IN_PAST: kind(422, 'Relief does not start in the past.'),
  STRATEGY_NOT_SUPPORTED: kind(422, 'The facility has no such instalments.'),
  CHANNEL_CLOSED: kind(422, 'Nobody answers on that channel now.'),
  CHANNEL_CONCURRENCY_MISSING: kind(422, 'A queue is answered over a channel without a limit.'),
  DUPLICATE_QUEUE_CHANNEL: kind(422, 'The profile has the queue twice for one channel.'),
  FALLBACK_CYCLE: kind(422, 'The profile would fall back on itself.'),
  PARTY_NOT_ACTIVE: kind(422, 'The party takes no new business.'),
  SIGNED_AT_IN_FUTURE: kind(422, 'A signature cannot be in the future.'),
  SUBSCRIPTION_LIMIT_REACHED: kind(422, 'The client has as many subscriptions as allowed.'),
  TARGET_URL_NOT_ALLOWED: kind(422, 'The address is not one the bank may call.'),
  TARGET_URL_NOT_HTTPS: kind(422, 'The address must begin with https://.'),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: kind(422, 'The client has as many endpoints as allowed.'),
  UNKNOWN_EVENT_TYPE: kind(422, 'No event has that type.'),
  BODY_TOO_LONG: kind(422, 'The body is longer than the channel takes.'),
  INVALID_LANGUAGE: kind(422, 'That is no BCP-47 language tag.'),
  INVALID_PERSONALIZATION: kind(422, 'A value does not fit the template.'),
  MISSING_PERSONALIZATION: kind(422, 'The template needs values that were not sent.'),
  SEND_AT_IN_PAST: kind(422, 'A notification cannot be sent in the past.'),
  SEND_AT_TOO_FAR: kind(422, 'A notification is scheduled at most 90 days ahead.'),
  SUBJECT_REQUIRED_FOR_EMAIL: kind(422, 'An e-mail template with a body needs a subject.'),
  TEMPLATE_CHANNEL_MISMATCH: kind(422, 'The template is for other channels.'),
  TEMPLATE_INVALID: kind(422, 'The text is no valid Liquid template.'),
  TEMPLATE_NOT_ACTIVE: kind(422, 'The template is not active.'),
  UNDECLARED_VARIABLE: kind(422, 'The template uses a variable that it does not declare.'),
  CLOCK_OUT_OF_RANGE: kind(422, 'The clock moves forward only, to 100 years ahead at most.'),
  FORCE_NOT_PERMITTED: kind(403, 'The token may not book against a guard.'),
  ASSISTANT_NOT_PERMITTED: kind(403, 'The assistant is not for this caller.'),
  AI_CANNOT_DECIDE: kind(403, 'A person decides on credit, not an assistant.'),
  LIMIT_OF_AUTHORITY_EXCEEDED: kind(403, 'The amount is more than the decider may decide.'),
  SEGREGATION_OF_DUTIES: kind(403, 'Another person has to do this.'),

  RATE_LIMITED: retry(429, 'Too many requests.'),
  SESSION_LIMIT_REACHED: kind(429, 'Too many assist sessions are open.'),
  SESSION_BUDGET_EXCEEDED: kind(429, 'The session has used what it may.'),
  INTERNAL: kind(500, 'Something went wrong on our side.'),
  DEPENDENCY_UNAVAILABLE: retry(503, 'A part that this operation needs is not available.'),
  MODEL_UNAVAILABLE: retry(503, 'The model behind the assistant does not answer.'),
  TIMEOUT: retry(504, 'The operation did not finish in time.'),
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof catalogue

/** A refusal that the caller can act on. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly members: ProblemMembers

  constructor(code: ProblemCode, members: ProblemMembers = {}, options?: ErrorOptions) {
    super(members.detail ?? catalogue[code].title, options)
    this.name = 'Problem'
    this.code = code
    this.members = members
  }

  get status(): number {
    return this.members.status ?? catalogue[this.code].status
  }
}

export type NotFoundCode = Extract<ProblemCode, `${string}_NOT_FOUND`>

/**
 * The refusal of a body that names a record which is not there, or not the caller's to see: the
 * resource's own code, as 422 with the place in the body.
 */
export function missingReference(code: NotFoundCode, resourceId: string, pointer: string): Problem {
  const { title } = catalogue[code]
  return new Problem(code, {
    status: 422,
    resourceId,
    errors: [{ pointer, code, detail: title }],
  })
}

/** The slug of a code: `ARRANGEMENT_NOT_FOUND` is described at `/problems/arrangement-not-found`. */
export function problemSlug(code: ProblemCode): string {
  return code.toLowerCase().replaceAll('_', '-')
}
