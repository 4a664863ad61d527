import { createUnionType } from 'type-graphql'
import { id, reference } from '../../../kernel/domain/model.ts'
import { graphTypeOf } from '../../../kernel/graph/model-types.ts'
import { EventSubscription } from '../model/subscription.ts'
import { WebhookDelivery, WebhookEndpoint } from '../model/webhook.ts'

/** The GraphQL type of each `<entity>` in the subjects of events, and the key of that type. */
const entities: Readonly<Record<string, readonly [type: string, key: string]>> = {
  party: ['Party', 'partyId'],
  customer: ['Customer', 'customerId'],
  agreement: ['Agreement', 'agreementId'],
  entitlement: ['Entitlement', 'entitlementId'],
  offer: ['ProductOffer', 'offerId'],
  campaign: ['Campaign', 'campaignId'],
  quote: ['PricingQuote', 'pricingQuoteId'],
  arrangement: ['AccountArrangement', 'arrangementId'],
  balance: ['AccountArrangement', 'arrangementId'],
  'posting-instruction': ['PostingInstruction', 'postingInstructionId'],
  'assist-session': ['AssistSession', 'sessionId'],
  'assist-tool-call': ['AssistToolCall', 'toolCallId'],
  'fee-run': ['FeeRun', 'feeRunId'],
  'fee-receivable': ['FeeReceivable', 'feeReceivableId'],
  fee: ['AccountArrangement', 'arrangementId'],
  payment: ['Payment', 'paymentId'],
  'standing-order': ['StandingOrder', 'standingOrderId'],
  facility: ['Facility', 'facilityId'],
  drawdown: ['Drawdown', 'drawdownId'],
  'extra-payment': ['ExtraPayment', 'extraPaymentId'],
  'payment-holiday': ['PaymentHoliday', 'paymentHolidayId'],
  'hardship-request': ['HardshipRequest', 'hardshipRequestId'],
  collateral: ['Collateral', 'collateralId'],
  'collateral-coverage': ['Facility', 'facilityId'],
  repayment: ['Repayment', 'repaymentId'],
  'loan-application': ['LoanApplication', 'applicationId'],
  template: ['NotificationTemplate', 'templateId'],
  notification: ['Notification', 'notificationId'],
  channel: ['Channel', 'channelId'],
  queue: ['RoutingQueue', 'queueId'],
  'routing-profile': ['RoutingProfile', 'routingProfileId'],
  agent: ['Agent', 'agentId'],
  interaction: ['Interaction', 'interactionId'],
  case: ['Case', 'caseId'],
  document: ['Document', 'documentId'],
}

const references = new Map(
  Object.values(entities).map(([type, key]) => [type, reference(type, { [key]: id() })]),
)

/** The references to the types of other subgraphs that events can be about. */
export const stubs = [...references.values()]

export const EventSubject = createUnionType({
  name: 'EventSubject',
  description:
    'The record that an event is about, in its current state. Its fields can be selected from ' +
    'any subgraph.',
  types: () =>
    [...stubs, EventSubscription, WebhookEndpoint, WebhookDelivery].map(graphTypeOf) as never,
  resolveType: (value: { __typename: string }) => value.__typename,
})

/**
 * Returns the federation reference of a subject such as `notification/ntf_1`; null if the graph has
 * no type for its entity.
 */
export function subjectReference(subject: string): object | null {
  const slash = subject.indexOf('/')
  const entity = entities[subject.slice(0, slash)]
  if (!entity) return null
  const [type, key] = entity
  return { __typename: type, [key]: subject.slice(slash + 1) }
}
