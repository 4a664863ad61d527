import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql'
import { EventSubscription } from './subscription.types.ts'
import { WebhookDelivery, WebhookEndpoint } from './webhook.types.ts'

@ObjectType('Party')
@Directive('@key(fields: "partyId", resolvable: false)')
class PartyStub {
  @Field(() => ID)
  partyId: string
}

@ObjectType('Customer')
@Directive('@key(fields: "customerId", resolvable: false)')
class CustomerStub {
  @Field(() => ID)
  customerId: string
}

@ObjectType('Agreement')
@Directive('@key(fields: "agreementId", resolvable: false)')
class AgreementStub {
  @Field(() => ID)
  agreementId: string
}

@ObjectType('Entitlement')
@Directive('@key(fields: "entitlementId", resolvable: false)')
class EntitlementStub {
  @Field(() => ID)
  entitlementId: string
}

@ObjectType('ProductOffer')
@Directive('@key(fields: "offerId", resolvable: false)')
class ProductOfferStub {
  @Field(() => ID)
  offerId: string
}

@ObjectType('PricingQuote')
@Directive('@key(fields: "pricingQuoteId", resolvable: false)')
class PricingQuoteStub {
  @Field(() => ID)
  pricingQuoteId: string
}

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId", resolvable: false)')
class AccountArrangementStub {
  @Field(() => ID)
  arrangementId: string
}

@ObjectType('NotificationTemplate')
@Directive('@key(fields: "templateId", resolvable: false)')
class NotificationTemplateStub {
  @Field(() => ID)
  templateId: string
}

@ObjectType('Notification')
@Directive('@key(fields: "notificationId", resolvable: false)')
class NotificationStub {
  @Field(() => ID)
  notificationId: string
}

@ObjectType('PostingInstruction')
@Directive('@key(fields: "postingInstructionId", resolvable: false)')
class PostingInstructionStub {
  @Field(() => ID)
  postingInstructionId: string
}

@ObjectType('Payment')
@Directive('@key(fields: "paymentId", resolvable: false)')
class PaymentStub {
  @Field(() => ID)
  paymentId: string
}

@ObjectType('StandingOrder')
@Directive('@key(fields: "standingOrderId", resolvable: false)')
class StandingOrderStub {
  @Field(() => ID)
  standingOrderId: string
}

@ObjectType('Collateral')
@Directive('@key(fields: "collateralId", resolvable: false)')
class CollateralStub {
  @Field(() => ID)
  collateralId: string
}

@ObjectType('Facility')
@Directive('@key(fields: "facilityId", resolvable: false)')
class FacilityStub {
  @Field(() => ID)
  facilityId: string
}

@ObjectType('Drawdown')
@Directive('@key(fields: "drawdownId", resolvable: false)')
class DrawdownStub {
  @Field(() => ID)
  drawdownId: string
}

@ObjectType('Repayment')
@Directive('@key(fields: "repaymentId", resolvable: false)')
class RepaymentStub {
  @Field(() => ID)
  repaymentId: string
}

@ObjectType('LoanApplication')
@Directive('@key(fields: "applicationId", resolvable: false)')
class LoanApplicationStub {
  @Field(() => ID)
  applicationId: string
}

@ObjectType('ExtraPayment')
@Directive('@key(fields: "extraPaymentId", resolvable: false)')
class ExtraPaymentStub {
  @Field(() => ID)
  extraPaymentId: string
}

@ObjectType('PaymentHoliday')
@Directive('@key(fields: "paymentHolidayId", resolvable: false)')
class PaymentHolidayStub {
  @Field(() => ID)
  paymentHolidayId: string
}

@ObjectType('HardshipRequest')
@Directive('@key(fields: "hardshipRequestId", resolvable: false)')
class HardshipRequestStub {
  @Field(() => ID)
  hardshipRequestId: string
}

@ObjectType('Channel')
@Directive('@key(fields: "channelId", resolvable: false)')
class ChannelStub {
  @Field(() => ID)
  channelId: string
}

@ObjectType('RoutingQueue')
@Directive('@key(fields: "queueId", resolvable: false)')
class RoutingQueueStub {
  @Field(() => ID)
  queueId: string
}

@ObjectType('RoutingProfile')
@Directive('@key(fields: "routingProfileId", resolvable: false)')
class RoutingProfileStub {
  @Field(() => ID)
  routingProfileId: string
}

@ObjectType('Agent')
@Directive('@key(fields: "agentId", resolvable: false)')
class AgentStub {
  @Field(() => ID)
  agentId: string
}

@ObjectType('Interaction')
@Directive('@key(fields: "interactionId", resolvable: false)')
class InteractionStub {
  @Field(() => ID)
  interactionId: string
}

@ObjectType('Case')
@Directive('@key(fields: "caseId", resolvable: false)')
class CaseStub {
  @Field(() => ID)
  caseId: string
}

@ObjectType('Document')
@Directive('@key(fields: "documentId", resolvable: false)')
class DocumentStub {
  @Field(() => ID)
  documentId: string
}

@ObjectType('FeeReceivable')
@Directive('@key(fields: "feeReceivableId", resolvable: false)')
class FeeReceivableStub {
  @Field(() => ID)
  feeReceivableId: string
}

@ObjectType('FeeRun')
@Directive('@key(fields: "feeRunId", resolvable: false)')
class FeeRunStub {
  @Field(() => ID)
  feeRunId: string
}

@ObjectType('Campaign')
@Directive('@key(fields: "campaignId", resolvable: false)')
class CampaignStub {
  @Field(() => ID)
  campaignId: string
}

@ObjectType('AssistSession')
@Directive('@key(fields: "sessionId", resolvable: false)')
class AssistSessionStub {
  @Field(() => ID)
  sessionId: string
}

@ObjectType('AssistToolCall')
@Directive('@key(fields: "toolCallId", resolvable: false)')
class AssistToolCallStub {
  @Field(() => ID)
  toolCallId: string
}

/** Maps the `<entity>` of an event's subject to its GraphQL type and the key of that type. */
const entities: Record<string, { type: string; key: string; stub: new () => object }> = {
  party: { type: 'Party', key: 'partyId', stub: PartyStub },
  customer: { type: 'Customer', key: 'customerId', stub: CustomerStub },
  agreement: { type: 'Agreement', key: 'agreementId', stub: AgreementStub },
  entitlement: { type: 'Entitlement', key: 'entitlementId', stub: EntitlementStub },
  offer: { type: 'ProductOffer', key: 'offerId', stub: ProductOfferStub },
  campaign: { type: 'Campaign', key: 'campaignId', stub: CampaignStub },
  quote: { type: 'PricingQuote', key: 'pricingQuoteId', stub: PricingQuoteStub },
  arrangement: { type: 'AccountArrangement', key: 'arrangementId', stub: AccountArrangementStub },
  balance: { type: 'AccountArrangement', key: 'arrangementId', stub: AccountArrangementStub },
  'posting-instruction': {
    type: 'PostingInstruction',
    key: 'postingInstructionId',
    stub: PostingInstructionStub,
  },
  'assist-session': { type: 'AssistSession', key: 'sessionId', stub: AssistSessionStub },
  'assist-tool-call': { type: 'AssistToolCall', key: 'toolCallId', stub: AssistToolCallStub },
  'fee-run': { type: 'FeeRun', key: 'feeRunId', stub: FeeRunStub },
  'fee-receivable': { type: 'FeeReceivable', key: 'feeReceivableId', stub: FeeReceivableStub },
  fee: { type: 'AccountArrangement', key: 'arrangementId', stub: AccountArrangementStub },
  payment: { type: 'Payment', key: 'paymentId', stub: PaymentStub },
  'standing-order': { type: 'StandingOrder', key: 'standingOrderId', stub: StandingOrderStub },
  facility: { type: 'Facility', key: 'facilityId', stub: FacilityStub },
  drawdown: { type: 'Drawdown', key: 'drawdownId', stub: DrawdownStub },
  'extra-payment': { type: 'ExtraPayment', key: 'extraPaymentId', stub: ExtraPaymentStub },
  'payment-holiday': { type: 'PaymentHoliday', key: 'paymentHolidayId', stub: PaymentHolidayStub },
  'hardship-request': {
    type: 'HardshipRequest',
    key: 'hardshipRequestId',
    stub: HardshipRequestStub,
  },
  collateral: { type: 'Collateral', key: 'collateralId', stub: CollateralStub },
  'collateral-coverage': { type: 'Facility', key: 'facilityId', stub: FacilityStub },
  repayment: { type: 'Repayment', key: 'repaymentId', stub: RepaymentStub },
  'loan-application': {
    type: 'LoanApplication',
    key: 'applicationId',
    stub: LoanApplicationStub,
  },
  template: { type: 'NotificationTemplate', key: 'templateId', stub: NotificationTemplateStub },
  notification: { type: 'Notification', key: 'notificationId', stub: NotificationStub },
  channel: { type: 'Channel', key: 'channelId', stub: ChannelStub },
  queue: { type: 'RoutingQueue', key: 'queueId', stub: RoutingQueueStub },
  'routing-profile': { type: 'RoutingProfile', key: 'routingProfileId', stub: RoutingProfileStub },
  agent: { type: 'Agent', key: 'agentId', stub: AgentStub },
  interaction: { type: 'Interaction', key: 'interactionId', stub: InteractionStub },
  case: { type: 'Case', key: 'caseId', stub: CaseStub },
  document: { type: 'Document', key: 'documentId', stub: DocumentStub },
}

export const EventSubject = createUnionType({
  name: 'EventSubject',
  description:
    'The record that an event is about, in its current state. Its fields can be selected from ' +
    'any subgraph.',
  types: () => [...stubs, EventSubscription, WebhookEndpoint, WebhookDelivery] as never,
  resolveType: (value: { __typename: string }) => value.__typename,
})

export const stubs = [...new Set(Object.values(entities).map(({ stub }) => stub))]

/**
 * Returns the federation reference of a subject such as `notification/ntf_1`; null if the graph has
 * no type for its entity.
 */
export function subjectReference(subject: string): object | null {
  const slash = subject.indexOf('/')
  const entity = entities[subject.slice(0, slash)]
  if (!entity) return null
  return { __typename: entity.type, [entity.key]: subject.slice(slash + 1) }
}
