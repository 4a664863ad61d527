import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { deliverWebhooks } from './delivery/deliverer.ts'
import { deleteOldDeliveries, planWebhooks } from './delivery/planner.ts'
import './events.ts'
import './personal-data.ts'
import { BusinessEventResolver } from './graph/business-event.resolver.ts'
import {
  DeliveryOperations,
  DeliveryResolver,
  EndpointDeliveriesResolver,
} from './graph/delivery.resolver.ts'
import { subjectReferences } from './graph/event-subject.ts'
import { SubscriptionOperations, SubscriptionResolver } from './graph/subscription.resolver.ts'
import { EndpointOperations, EndpointResolver } from './graph/webhook.resolver.ts'
import { loadDelivery } from './store/delivery.ts'
import { loadEndpoint } from './store/endpoint.ts'
import { loadEvent } from './store/log.ts'
import { loadSubscription } from './store/subscription.ts'

/** Returns a reference resolver of a federated entity. The resolver requires `events:read`. */
function reference<Key extends string>(
  key: Key,
  load: (context: Context, id: string) => Promise<object | null>,
) {
  return (representation: Record<Key, string>, context: Context) => {
    requireScope(context.caller, 'events:read')
    return load(context, representation[key])
  }
}

/** The subgraph of the event log, event subscriptions and webhooks. */
export const events: Subgraph = {
  name: 'events',
  resolvers: [
    BusinessEventResolver,
    SubscriptionOperations,
    SubscriptionResolver,
    EndpointOperations,
    EndpointResolver,
    DeliveryOperations,
    DeliveryResolver,
    EndpointDeliveriesResolver,
  ],
  get types() {
    return subjectReferences()
  },
  references: {
    BusinessEvent: reference('eventId', loadEvent),
    EventSubscription: reference('subscriptionId', loadSubscription),
    WebhookEndpoint: reference('endpointId', loadEndpoint),
    WebhookDelivery: reference('deliveryId', loadDelivery),
  },
  workers: [planWebhooks, deliverWebhooks, deleteOldDeliveries],
}
