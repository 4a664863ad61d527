import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const SubscriptionStatus = enumeration(
  'EventSubscriptionStatus',
  'The lifecycle state of an event subscription.',
  {
    active: 'Events are delivered to the webhook endpoints of the client.',
    paused: 'The client paused the subscription. New events are not delivered.',
    disabled:
      'The bank disabled the subscription when it disabled the last active endpoint of the ' +
      'client. New events are not delivered.',
    deleted: 'The client deleted the subscription. This state is final.',
  },
)
export type SubscriptionStatus = TypeOf<typeof SubscriptionStatus>

export const PayloadMode = enumeration(
  'EventPayloadMode',
  'The content of the webhook messages of a subscription.',
  {
    full: 'Messages include the data of the event.',
    thin: 'Messages identify the event but omit its data.',
  },
)
export type PayloadMode = TypeOf<typeof PayloadMode>

export const SubscriptionRequirement = enumeration(
  'EventSubscriptionRequirement',
  'Something that must be supplied before the events of a subscription are delivered.',
  {
    endpoint:
      'An active webhook endpoint of the client. Register one with `registerWebhookEndpoint`, or ' +
      'enable a disabled one with `enableWebhookEndpoint`.',
  },
)
export type SubscriptionRequirement = TypeOf<typeof SubscriptionRequirement>

export const EndpointStatus = enumeration(
  'WebhookEndpointStatus',
  'The lifecycle state of a webhook endpoint.',
  {
    active: 'Events are delivered to the endpoint.',
    disabled:
      'The bank has stopped delivering to the endpoint; `statusReason` contains the reason. ' +
      'Pending deliveries wait until the endpoint is enabled.',
    deleted: 'The endpoint was deleted by its client. This state is final.',
  },
)
export type EndpointStatus = TypeOf<typeof EndpointStatus>

export const DisableReason = enumeration(
  'WebhookDisableReason',
  'The reason why the bank disabled a webhook endpoint.',
  {
    gone: 'The endpoint responded with HTTP status 410 (Gone).',
    failing: 'All attempts to deliver to the endpoint failed for five days.',
  },
)
export type DisableReason = TypeOf<typeof DisableReason>

export const DeliveryStatus = enumeration(
  'WebhookDeliveryStatus',
  'The state of the delivery of an event to a webhook endpoint.',
  {
    pending: 'The delivery has not been attempted since it was created or replayed.',
    retrying: 'The latest attempt failed and the delivery will be retried.',
    delivered: 'The endpoint acknowledged the event with a 2xx status.',
    'dead-lettered': 'All attempts failed. The event is not delivered unless it is replayed.',
  },
)
export type DeliveryStatus = TypeOf<typeof DeliveryStatus>
