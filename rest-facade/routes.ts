import type { DocumentNode } from 'graphql'
import * as op from './operations.generated.ts'

/** The form of a response: one record, an array of records, or a page object. */
export type ResponseShape = 'record' | 'array' | 'page'

/** A REST operation of the specification, with the GraphQL operation that implements it. */
export interface Route {
  method: 'GET' | 'POST'
  path: string
  operation: DocumentNode
  tag: string
  status: 200 | 201
  idempotencyKey: 'required' | 'optional' | 'none'
  /**
   * Whether an invalid X-Request-Id is rejected, as documented for four operations, or replaced by
   * a new one.
   */
  isRequestIdDocumented: boolean
  answer: ResponseShape
  /**
   * The operation that returns the events of a `text/event-stream` response, and the name of the
   * final event; undefined if the operation has no such response.
   */
  frames?: { operation: DocumentNode; lastEventName: string }
}

type Options = Partial<Omit<Route, 'method' | 'path' | 'operation' | 'tag'>>

/**
 * The operations of section 4 of the specification. Members of the path, the query and the body
 * fill variables by name.
 */
export const routes: readonly Route[] = [
  // 4.1 Operations with shown payloads
  post('/product-catalog/products', op.CreateProductDocument, 'Products'),
  post('/accounts', op.OpenAccountDocument, 'Accounts'),
  get('/accounts', op.ListAccountsDocument, 'Accounts', { answer: 'array' }),
  get('/product-offers', op.ListProductOffersDocument, 'Products', { answer: 'array' }),
  post('/ai/assist/sessions', op.CreateAssistSessionDocument, 'AI Runtime'),
  post('/collateral', op.CreateCollateralDocument, 'Collateral'),
  post('/routing-profiles', op.CreateRoutingProfileDocument, 'Interactions'),
  post('/events/subscriptions', op.CreateEventSubscriptionDocument, 'Events'),
  post('/notification-templates', op.CreateNotificationTemplateDocument, 'Notifications'),
  // 4.2 Hardship request creation
  post('/consumer-loans/{loanId}/hardship-requests', op.CreateHardshipRequestDocument, 'Lending', {
    status: 201,
    idempotencyKey: 'required',
    isRequestIdDocumented: true,
  }),
  // 4.3 Acceptance of approved consumer loan terms
  post(
    '/consumer-loan-applications/{applicationId}/acceptance',
    op.AcceptLoanTermsDocument,
    'Lending',
    { idempotencyKey: 'required', isRequestIdDocumented: true },
  ),
  // 4.4 Notification creation
  post('/notifications', op.CreateNotificationDocument, 'Notifications', {
    status: 201,
    idempotencyKey: 'required',
    isRequestIdDocumented: true,
  }),
  // 4.5 Agreement listing
  get('/agreements', op.ListAgreementsDocument, 'Agreements', {
    answer: 'page',
    isRequestIdDocumented: true,
  }),
  // 4.6 Operations without a shown payload
  post('/credit-applications/{applicationId}/decision', op.RecordCreditDecisionDocument, 'Lending'),
  post(
    '/credit-applications/{applicationId}/submit',
    op.SubmitCreditApplicationDocument,
    'Lending',
  ),
  post('/facilities/{facilityId}/payment-holidays', op.CreatePaymentHolidayDocument, 'Lending'),
  post('/facilities/{facilityId}/extra-payments', op.CreateExtraPaymentDocument, 'Lending'),
  post('/facilities/{facilityId}/drawdowns', op.CreateDrawdownDocument, 'Lending'),
  post('/ai/assist/sessions/{sessionId}/messages', op.SendAssistMessageDocument, 'AI Runtime', {
    frames: { operation: op.FollowAssistMessageDocument, lastEventName: 'message' },
  }),
  post('/posting-instructions', op.CreatePostingInstructionDocument, 'Payments'),
  get('/fee-runs', op.ListFeeRunsDocument, 'Operations', { answer: 'page' }),
]

function get(path: string, operation: DocumentNode, tag: string, options: Options = {}): Route {
  return route('GET', path, operation, tag, { idempotencyKey: 'none', ...options })
}

function post(path: string, operation: DocumentNode, tag: string, options: Options = {}): Route {
  return route('POST', path, operation, tag, { idempotencyKey: 'optional', ...options })
}

function route(
  method: Route['method'],
  path: string,
  operation: DocumentNode,
  tag: string,
  options: Options & Pick<Route, 'idempotencyKey'>,
): Route {
  return {
    method,
    path,
    operation,
    tag,
    status: 200,
    isRequestIdDocumented: false,
    answer: 'record',
    ...options,
  }
}
