/** The tables of the specification as data, written independently of the implementation. */

export interface Member {
  name: string
  type: 'string' | 'integer' | 'object'
  isRequired?: true
  format?: 'date' | 'date-time'
  enum?: readonly string[]
  maxLength?: number
  minimum?: number
  maximum?: number
  default?: number
}

export interface DocumentedOperation {
  name: string
  method: 'GET' | 'POST'
  path: string
  status: 200 | 201
  parameters: { path: readonly Member[]; query: readonly Member[]; header: readonly Member[] }
  /** Null when it takes no body or the specification does not show it. */
  body: readonly Member[] | null
  /** Null when the specification does not show the response. */
  answer: { shape: 'record' | 'array' | 'page'; members: readonly Member[] } | null
}

const text = (name: string, more: Partial<Member> = {}): Member => ({
  name,
  type: 'string',
  ...more,
})
const required = { isRequired: true } as const
const instant = { format: 'date-time' } as const
const day = { format: 'date' } as const

const product = ['productId', 'name', 'productClass', 'status', 'version'].map((name) =>
  text(name, required),
)
const arrangement = [
  text('arrangementId'),
  text('customerId'),
  text('productId'),
  text('state'),
  text('openedAt', instant),
]
const offer = ['offerId', 'productId', 'status', 'pricingQuoteId'].map((name) => text(name))
const assistSession = ['sessionId', 'status', 'assistantType'].map((name) => text(name))
const collateral = ['collateralId', 'status', 'collateralType'].map((name) => text(name))
const routingProfile = ['routingProfileId', 'name', 'status'].map((name) => text(name))
const eventSubscription = ['subscriptionId', 'eventType', 'status'].map((name) => text(name))
const template = ['templateId', 'channel', 'status'].map((name) => text(name))
const agreement = [
  ...['agreementId', 'partyId', 'productCode', 'status', 'agreementType'].map((name) => text(name)),
  text('effectiveFrom', day),
  text('effectiveTo', day),
  text('signedAt', instant),
]

const reliefTypes = ['payment-holiday', 'term-extension', 'restructure', 'temporary-reduction']
const hardshipStates = ['submitted', 'under-review', 'approved', 'declined', 'cancelled']
const hardshipRequest = [
  text('hardshipRequestId'),
  text('loanId'),
  text('type', { enum: reliefTypes }),
  text('reason'),
  text('status', { enum: hardshipStates }),
  text('submittedAt', instant),
]
const applicationStates = 'draft submitted in-review approved declined accepted booked'.split(' ')
const application = [
  text('applicationId'),
  text('quoteId'),
  text('customerId'),
  text('status', { enum: applicationStates }),
  text('decisionMode', { enum: ['automated', 'hybrid', 'manual'] }),
  text('createdAt', instant),
]
const channels = ['email', 'sms', 'push', 'secure-message']
const notification = [
  text('notificationId'),
  text('partyId'),
  text('channel', { enum: channels }),
  text('templateCode'),
  text('subject'),
  { name: 'personalization', type: 'object' },
  text('status', { enum: 'queued accepted sent delivered failed suppressed'.split(' ') }),
  text('createdAt', instant),
  text('deliveredAt', instant),
] satisfies Member[]

const requestId = text('X-Request-Id', { maxLength: 80 })
const retrySafe = [text('Idempotency-Key', { maxLength: 80, ...required }), requestId]

type Details = Partial<Omit<DocumentedOperation, 'name' | 'method' | 'path' | 'parameters'>> & {
  query?: readonly Member[]
  headers?: readonly Member[]
}

function operation(name: string, details: Details = {}): DocumentedOperation {
  const [method, path] = name.split(' ') as ['GET' | 'POST', string]
  const { query = [], headers: header = [], ...rest } = details
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => text(id!, required))
  const parameters = { path: inPath, query, header }
  return { name, method, path, status: 200, body: null, answer: null, parameters, ...rest }
}

const record = (members: readonly Member[]) => ({ shape: 'record', members }) as const
const echoed = (members: readonly Member[]) => ({ body: members, answer: record(members) })

/** Section 4, line by line. */
export const documented: readonly DocumentedOperation[] = [
  operation('POST /product-catalog/products', echoed(product)),
  operation('POST /accounts', echoed(arrangement)),
  operation('GET /accounts', { answer: { shape: 'array', members: arrangement } }),
  operation('GET /product-offers', { answer: { shape: 'array', members: offer } }),
  operation('POST /ai/assist/sessions', echoed(assistSession)),
  operation('POST /collateral', echoed(collateral)),
  operation('POST /routing-profiles', echoed(routingProfile)),
  operation('POST /events/subscriptions', echoed(eventSubscription)),
  operation('POST /notification-templates', echoed(template)),
  operation('POST /consumer-loans/{loanId}/hardship-requests', {
    status: 201,
    headers: retrySafe,
    body: [
      text('type', { enum: reliefTypes, ...required }),
      text('reason', required),
      text('requestedStartDate', day),
      text('requestedEndDate', day),
    ],
    answer: record(hardshipRequest),
  }),
  operation('POST /consumer-loan-applications/{applicationId}/acceptance', {
    headers: retrySafe,
    body: [
      text('acceptedAt', { ...instant, ...required }),
      text('acceptanceChannel', required),
      text('signatureReference'),
    ],
    answer: record(application),
  }),
  operation('POST /notifications', {
    status: 201,
    headers: retrySafe,
    body: [
      text('partyId', required),
      text('channel', { enum: channels, ...required }),
      text('templateCode', required),
      text('subject'),
      { name: 'personalization', type: 'object' },
      text('sendAt', instant),
    ],
    answer: record(notification),
  }),
  operation('GET /agreements', {
    headers: [requestId],
    query: [
      text('partyId'),
      text('status'),
      { name: 'pageSize', type: 'integer', minimum: 1, maximum: 200, default: 50 },
      text('pageToken'),
    ],
    answer: { shape: 'page', members: agreement },
  }),
  operation('POST /credit-applications/{applicationId}/decision'),
  operation('POST /credit-applications/{applicationId}/submit'),
  operation('POST /facilities/{facilityId}/payment-holidays'),
  operation('POST /facilities/{facilityId}/extra-payments'),
  operation('POST /facilities/{facilityId}/drawdowns'),
  operation('POST /ai/assist/sessions/{sessionId}/messages'),
  operation('POST /posting-instructions'),
  operation('GET /fee-runs'),
]

/** Operations whose payload the specification shows. */
export const shown = documented.filter(({ body, answer }) => body !== null || answer !== null)
