import 'reflect-metadata'
import { referenceTo } from '../../kernel/graph/references.ts'
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
import { archiveLog } from './workers/archive-log.ts'

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
    BusinessEvent: referenceTo('events:read', 'eventId', loadEvent),
    EventSubscription: referenceTo('events:read', 'subscriptionId', loadSubscription),
    WebhookEndpoint: referenceTo('events:read', 'endpointId', loadEndpoint),
    WebhookDelivery: referenceTo('events:read', 'deliveryId', loadDelivery),
  },
  workers: [planWebhooks, deliverWebhooks, deleteOldDeliveries, archiveLog],
}
