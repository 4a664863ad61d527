import type { DocumentNode } from 'graphql'
import * as op from './operations.generated.ts'

/** How an operation answers: its record, a bare array of records, or the page object. */
export type AnswerShape = 'record' | 'array' | 'page'

/** One documented operation: where it is, and the GraphQL operation it stands for. */
export interface Route {
  method: 'GET' | 'POST'
  path: string
  operation: DocumentNode
  tag: string
  status: 200 | 201
  idempotencyKey: 'required' | 'optional' | 'none'
  /** The four operations that document X-Request-Id refuse a bad one; the others replace it. */
  isRequestIdDocumented: boolean
  answer: AnswerShape
  /** For who takes `text/event-stream`: the operation that answers the steps so far, and the name of the last event. */
  frames?: { operation: DocumentNode; last: string }
}

type Options = Partial<Omit<Route, 'method' | 'path' | 'operation' | 'tag'>>

/** Section 4 of the specification, line by line. Path, query and body fill the operation by name. */
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
    frames: { operation: op.FollowAssistMessageDocument, last: 'message' },
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
