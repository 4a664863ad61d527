import { connectionProblems } from './connection-problems.ts'
import { creditProblems } from './credit-problems.ts'
import { notFoundProblems } from './not-found-problems.ts'
import { assistProblems } from './assist-problems.ts'
import { notificationProblems } from './notification-problems.ts'
import { kind, retry, type ProblemKind } from './problem-kind.ts'
import type { ProblemMembers } from './problem-members.ts'

/**
 * The error catalog. A thrown `Problem` reaches REST (RFC 9457) and the graph (`errors[].extensions`)
 * with the same members. Anything else thrown is a defect and is masked as `INTERNAL`.
 */

/** In the order of the checks: protocol, caller, shape, idempotency, record, status, rule, server. */
export const catalogue = {
  BAD_REQUEST: kind(400, 'The request is not valid HTTP.'),
  REQUEST_TIMEOUT: retry(408, 'The request took too long to arrive.'),
  PAYLOAD_TOO_LARGE: kind(413, 'The body exceeds the maximum size for this operation.'),
  HEADERS_TOO_LARGE: kind(431, 'The headers exceed the maximum size.'),
  ROUTE_NOT_FOUND: kind(404, 'The path does not exist.'),
  METHOD_NOT_ALLOWED: kind(405, 'The path does not support this method.'),
  UNAUTHENTICATED: kind(401, 'A bearer token is required.'),
  TOKEN_INVALID: kind(401, 'The bearer token is not valid for this environment.'),
  TOKEN_EXPIRED: kind(401, 'The bearer token has expired.'),
  CLIENT_AUTHENTICATION_FAILED: kind(401, 'The client ID or client secret is wrong.'),
  LOG_IN_FAILED: kind(401, 'The username or password is wrong.'),
  INSUFFICIENT_SCOPE: kind(403, 'The token lacks the scope for this operation.'),
  NOT_FOR_DELEGATED_USERS: kind(
    403,
    'Delegated users cannot perform this operation; only the bank can.',
  ),
  NOT_ENTITLED: kind(403, 'The caller is not entitled to this operation.'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'The body must be uncompressed application/json in UTF-8.'),
  NOT_ACCEPTABLE: kind(406, 'The response is only available as application/json.'),
  IDEMPOTENCY_KEY_MISSING: kind(400, 'This operation requires an Idempotency-Key header.'),
  IDEMPOTENCY_KEY_INVALID: kind(
    400,
    'The idempotency key must be 1 to 80 visible ASCII characters.',
  ),
  REQUEST_ID_INVALID: kind(400, 'X-Request-Id must be 1 to 80 visible ASCII characters.'),
  MALFORMED_JSON: kind(400, 'The body is not well-formed JSON.'),
  VALIDATION_FAILED: kind(400, 'The request is not valid.'),
  UNKNOWN_PROPERTY: kind(400, 'The request has an undocumented member.'),
  PAGE_SIZE_INVALID: kind(400, 'The page size is not a whole number in the allowed range.'),
  PAGE_TOKEN_INVALID: kind(400, 'The page token was not issued for this list.'),
  PAGE_TOKEN_EXPIRED: kind(400, 'The page token has expired; tokens are valid for three days.'),
  GRAPHQL_PARSE_FAILED: kind(400, 'The GraphQL document cannot be parsed.'),
  GRAPHQL_VALIDATION_FAILED: kind(400, 'The GraphQL document does not match the schema.'),
  PERSISTED_QUERY_NOT_FOUND: kind(
    404,
    'The service does not have a document with this hash; send the document together with it.',
  ),
  QUERY_TOO_COMPLEX: kind(400, 'The GraphQL document exceeds the complexity limit.'),
  IDEMPOTENCY_IN_PROGRESS: retry(409, 'A request with this idempotency key is still running.'),
  IDEMPOTENCY_KEY_REUSED: kind(422, 'The idempotency key was used for a different request.'),

  ...notFoundProblems,
  CONTENT_ADDRESS_EXPIRED: kind(410, 'The link has expired; request a new one.'),

  RESOURCE_EXISTS: kind(409, 'The ID belongs to a record with different content.'),
  SUBSCRIPTION_ALREADY_EXISTS: kind(409, 'The ID belongs to another event subscription.'),
  STATE_CONFLICT: kind(409, 'The status of the record does not allow this operation.'),
  INVALID_STATE_TRANSITION: kind(
    409,
    'The record cannot change from its current status to the requested one.',
  ),
  RESOURCE_BUSY: retry(409, 'A concurrent request is using a record that this request needs.'),
  VERSION_CONFLICT: retry(409, 'The record was changed by a concurrent request.'),
  ARRANGEMENT_ALREADY_EXISTS: kind(409, 'The ID belongs to another account arrangement.'),
  ARRANGEMENT_NOT_EMPTY: kind(409, 'The account has a balance and cannot be closed.'),
  PRODUCT_VERSION_EXISTS: kind(409, 'The product version exists with different content.'),
  ALREADY_REVERSED: kind(409, 'The posting was already reversed.'),
  AUTHORISATION_ALREADY_CLOSED: kind(
    409,
    'The authorization is already fully settled or released.',
  ),
  AUTHORISATION_EXPIRED: kind(409, 'The authorization has expired.'),
  CLIENT_BATCH_ID_REUSED: kind(409, 'The client batch ID belongs to another batch.'),
  CLIENT_TRANSACTION_ID_REUSED: kind(
    409,
    'The client transaction ID belongs to another authorization.',
  ),
  FACILITY_NOT_ACTIVE: kind(409, 'The facility is not active.'),
  ALREADY_ACCEPTED: kind(409, 'The terms were already accepted.'),
  APPLICATION_ALREADY_DECIDED: kind(409, 'The application was already decided.'),
  APPLICATION_ALREADY_SUBMITTED: kind(409, 'The application was already submitted.'),
  APPLICATION_NOT_SUBMITTED: kind(409, 'The application has not been submitted.'),
  CONDITIONS_NOT_MET: kind(409, 'The conditions of the approval are not met.'),
  NO_COUNTER_OFFER: kind(409, 'There is no counteroffer to respond to.'),
  OFFER_EXPIRED: kind(409, 'The offer has expired.'),
  OPEN_REQUEST_EXISTS: kind(
    409,
    'The customer has reached the maximum number of open applications.',
  ),
  LOAN_NOT_ELIGIBLE_STATE: kind(409, 'The status of the loan does not allow a change of terms.'),
  OVERLAPPING_HOLIDAY: kind(409, 'The period overlaps with another payment holiday.'),
  PROFILE_IN_USE: kind(409, 'Agents or other profiles use the routing profile.'),
  ROUTING_PROFILE_NAME_EXISTS: kind(409, 'Another routing profile has this name.'),
  COLLATERAL_IDENTIFIER_IN_USE: kind(409, 'Another collateral has this identifier.'),
  CONTENT_ALREADY_RECEIVED: kind(
    409,
    'The upload already received its content, which cannot be replaced.',
  ),
  CONTENT_NOT_RECEIVED: kind(409, 'The upload has not received its content yet.'),
  CLOCK_NOT_MOVABLE: kind(409, 'Only the clock of the sandbox can be changed.'),
  SIMULATION_NOT_AVAILABLE: kind(409, 'Simulations are only available in the sandbox.'),

  ACCEPTED_AT_IN_FUTURE: kind(422, 'The time of acceptance is in the future.'),
  ACCEPTED_BEFORE_APPROVAL: kind(422, 'The time of acceptance is before the approval.'),
  ACCOUNT_NUMBER_NOT_FOUND: kind(422, 'The bank has no account with this number.'),
  APPLICATION_INCOMPLETE: kind(422, 'The application lacks information that a decision requires.'),
  ACCOUNT_SUSPENDED: kind(
    422,
    'Postings to the account are suspended until it has been corrected.',
  ),
  ARRANGEMENT_BLOCKED: kind(422, 'The account is blocked for this kind of movement.'),
  ARRANGEMENT_CLOSED: kind(422, 'The account is closed.'),
  AUTHORISATION_NOT_FOUND: kind(422, 'No authorization has this client transaction ID.'),
  BATCH_TOO_LARGE: kind(422, 'The batch has more than 1,000 instructions.'),
  FEE_PERIOD_INVALID: kind(422, 'No period of the fee starts on this date.'),
  FEE_RUN_NOT_REVERSIBLE: kind(422, 'The fee run has no charges to reverse.'),
  DESTINATION_NOT_REACHABLE: kind(422, 'No payment rail of the bank reaches the account this way.'),
  EXECUTION_DATE_OUT_OF_RANGE: kind(422, 'The execution date is in the past or too far ahead.'),
  INSUFFICIENT_FUNDS: kind(422, 'The available balance of the account is too low.'),
  INTERNAL_ACCOUNT_NOT_FOUND: kind(422, 'The bank has no internal account with this code.'),
  INVALID_IBAN: kind(422, 'The account number is not a valid IBAN.'),
  INVALID_AMOUNT: kind(422, 'The amount is not valid for this operation.'),
  LIMIT_EXCEEDED: kind(422, 'The amount exceeds a limit.'),
  POSTING_NOT_REVERSIBLE: kind(422, 'The posting cannot be reversed.'),
  SAME_ACCOUNT: kind(422, 'The debtor and creditor accounts are the same.'),
  SETTLEMENT_EXCEEDS_AUTHORISATION: kind(422, 'The settlement exceeds the authorized amount.'),
  UNBALANCED_ENTRIES: kind(422, 'The debits and credits are not equal.'),
  VALUE_DATE_OUT_OF_WINDOW: kind(422, 'The value date is too far from today.'),
  INVALID_INITIAL_STATUS: kind(422, 'A new record cannot have this status.'),
  INSTALMENT_ALREADY_PAID: kind(422, 'A paid installment cannot be changed.'),
  INVALID_DATE_RANGE: kind(422, 'The dates are not in chronological order.'),
  KYC_INCOMPLETE: kind(422, "The customer's identity has not been verified."),
  AMOUNT_OUT_OF_RANGE: kind(422, 'The amount is outside the range of the product.'),
  ARRANGEMENT_LIMIT_REACHED: kind(
    422,
    'The customer has reached the maximum number of accounts of this product.',
  ),
  BACKDATE_NOT_ALLOWED: kind(
    422,
    'The date is too far in the past, or the token does not permit backdating.',
  ),
  CURRENCY_MISMATCH: kind(422, 'The currencies do not match.'),
  CURRENCY_NOT_OFFERED: kind(422, 'The product is not offered in this currency.'),
  CUSTOMER_NOT_ACTIVE: kind(422, 'The customer is not active.'),
  DECIDED_AT_IN_FUTURE: kind(422, 'The time of the decision is in the future.'),
  DECLINE_REASONS_REQUIRED: kind(422, 'A decline requires one to four specific reasons.'),
  INVALID_OUTCOME: kind(422, 'The outcome is not valid for a decision.'),
  OFFER_NOT_PERSONALISED: kind(422, 'The offer is public and cannot be accepted by one customer.'),
  OPENED_AT_IN_FUTURE: kind(422, 'The opening time is in the future.'),
  OUTCOME_REQUIRED: kind(422, 'A decision requires an outcome.'),
  PARAMETER_OUT_OF_RANGE: kind(422, 'A parameter is outside the range of the product.'),
  PRODUCT_CLASS_NOT_OPENABLE: kind(422, 'Accounts cannot be opened for products of this class.'),
  POLICY_VERSION_REQUIRED: kind(422, 'An automated decision requires a policy version.'),
  PRODUCT_NOT_LENDABLE: kind(422, 'The product is not a credit product.'),
  PRODUCT_NOT_ACTIVE: kind(422, 'The product is not active.'),
  CAMPAIGN_NOT_APPLICABLE: kind(422, 'The campaign does not apply.'),
  QUOTE_EXPIRED: kind(422, 'The quote has expired.'),
  QUOTE_MISMATCH: kind(422, 'The quote is for a different request.'),
  SIGNATURE_REQUIRED: kind(422, 'The product requires a signature.'),
  SUBMITTED_AT_IN_FUTURE: kind(422, 'The time of submission is in the future.'),
  TERMS_OUT_OF_POLICY: kind(422, 'The terms are outside the range of the product.'),
  TERM_OUT_OF_RANGE: kind(422, 'The term is outside the range of the product.'),
  BELOW_MINIMUM_DRAWDOWN: kind(422, 'The amount is below the minimum drawdown of the facility.'),
  EXCEEDS_PAYOFF_AMOUNT: kind(422, 'The amount exceeds the payoff amount.'),
  INVALID_PAYMENT_DATE: kind(422, 'The payment date is not valid.'),
  FACILITY_IN_ARREARS: kind(422, 'The facility is in arrears and cannot be drawn.'),
  INSUFFICIENT_COLLATERAL: kind(422, 'The collateral coverage would be lower than required.'),
  OUTSIDE_AVAILABILITY_PERIOD: kind(
    422,
    'The date is outside the availability period of the facility.',
  ),
  OVER_ALLOCATED: kind(422, 'The allocations exceed the lendable value of the collateral.'),
  OWNERSHIP_EXCEEDS_100: kind(422, 'The shares of the owners add up to more than 100 percent.'),
  VALUATION_DATE_IN_FUTURE: kind(422, 'The valuation date is in the future.'),
  VALUATION_REQUIRED: kind(422, 'The collateral has no valuation.'),
  BELOW_MINIMUM_EXTRA_PAYMENT: kind(
    422,
    'The amount is below the minimum extra payment of the product.',
  ),
  END_AFTER_MATURITY: kind(422, 'The end date is after the maturity of the loan.'),
  HOLIDAY_ALLOWANCE_EXCEEDED: kind(
    422,
    'The payment holiday exceeds the allowance of the product.',
  ),
  NO_INSTALMENT_IN_PERIOD: kind(422, 'No installment is due in this period.'),
  NOT_SUPPORTED_FOR_REVOLVING: kind(422, 'A revolving facility has no installments to pause.'),
  PERIOD_TOO_LONG: kind(422, 'The relief period is longer than the product allows.'),
  SEASONING_NOT_MET: kind(422, 'Too few installments were paid before the payment holiday.'),
  START_DATE_IN_PAST: kind(422, 'The start date is in the past.'),
  STRATEGY_NOT_SUPPORTED: kind(422, 'The facility does not support this strategy.'),
  ...creditProblems,
  ...connectionProblems,
  ...assistProblems,
  ...notificationProblems,
  CHANNEL_CLOSED: kind(422, 'The channel is closed.'),
  CHANNEL_CONCURRENCY_MISSING: kind(422, 'A queue uses a channel without a concurrency limit.'),
  DUPLICATE_QUEUE_CHANNEL: kind(
    422,
    'The routing profile lists a queue twice for the same channel.',
  ),
  FALLBACK_CYCLE: kind(422, 'The fallback profiles would form a cycle.'),
  PARTY_NOT_ACTIVE: kind(422, 'The party is not active.'),
  SIGNED_AT_IN_FUTURE: kind(422, 'The time of the signature is in the future.'),
  SUBSCRIPTION_LIMIT_REACHED: kind(
    422,
    'The client has reached the maximum number of subscriptions.',
  ),
  TARGET_URL_NOT_ALLOWED: kind(422, 'The URL is not allowed as a webhook target.'),
  TARGET_URL_NOT_HTTPS: kind(422, 'The URL must start with https://.'),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: kind(
    422,
    'The client has reached the maximum number of webhook endpoints.',
  ),
  UNKNOWN_EVENT_TYPE: kind(422, 'The event type does not exist.'),
  CLOCK_OUT_OF_RANGE: kind(422, 'The clock can only move forward, at most 100 years ahead.'),
  FORCE_NOT_PERMITTED: kind(403, 'The token does not permit forced postings.'),
  AI_CANNOT_DECIDE: kind(403, 'Credit decisions are made by people, not by assistants.'),
  LIMIT_OF_AUTHORITY_EXCEEDED: kind(403, "The amount exceeds the decider's limit of authority."),
  CANNOT_ACT_FOR: kind(403, 'The client is not registered to act for that person.'),
  NAME_TAKEN: kind(422, 'A client and a person cannot have the same name.'),
  SEGREGATION_OF_DUTIES: kind(403, 'Another person must perform this step.'),

  RATE_LIMITED: retry(429, 'Too many requests.'),
  INTERNAL: kind(500, 'An internal error occurred.'),
  DEPENDENCY_UNAVAILABLE: retry(503, 'A service that this operation requires is not available.'),
  TIMEOUT: retry(504, 'The operation did not finish in time.'),
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof catalogue

/** An error that the caller can act on. */
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
 * The problem if the input references a record that does not exist or that the caller cannot see:
 * the NOT_FOUND code of the record with status 422 and the pointer to the reference.
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
