import { DeliveryStatus } from '../model/enumerations.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { requireFound } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { lookup, resolverOf } from '../../../kernel/graph/operations.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { listDeliveries, loadAttempts, loadDelivery, type Delivery } from '../store/delivery.ts'
import { loadEndpoint } from '../store/endpoint.ts'
import { loadEvent } from '../store/log.ts'
import { BusinessEvent } from '../model/business-event.ts'
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
} from '../model/webhook.ts'

export const DeliveryOperations = resolverOf({
  queries: {
    webhookDelivery: lookup(WebhookDelivery, {
      description:
        'Returns one delivery to a webhook endpoint of the calling client; with ' +
        '`operations:read`, of any client.',
      scope: 'events:read',
      find: async (context, deliveryId) =>
        requireFound(
          await loadDelivery(context, deliveryId),
          'WEBHOOK_DELIVERY_NOT_FOUND',
          deliveryId,
        ),
    }),
  },
})

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @FieldResolver(() => [WebhookAttempt], {
    description: 'All attempts of the delivery, oldest first.',
  })
  attempts(@Root() { deliveryId }: Delivery, @Ctx() context: Context) {
    return loadAttempts(context, deliveryId)
  }

  @FieldResolver(() => BusinessEvent, {
    nullable: true,
    description: 'The delivered event; null if it is not visible to the caller.',
  })
  event(@Root() { eventId }: Delivery, @Ctx() context: Context) {
    return loadEvent(context, eventId)
  }

  @FieldResolver(() => WebhookEndpoint, {
    nullable: true,
    description: 'The webhook endpoint to which the event is delivered.',
  })
  endpoint(@Root() { endpointId }: Delivery, @Ctx() context: Context) {
    return loadEndpoint(context, endpointId)
  }
}

@Resolver(() => WebhookEndpoint)
export class EndpointDeliveriesResolver {
  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'The deliveries to the endpoint in the order in which they were created. A delivery is ' +
      'kept for 30 days after it ended.',
  })
  deliveries(
    @Root() { endpointId }: Endpoint,
    @Arg('status', () => DeliveryStatus, {
      nullable: true,
      description: 'Returns only deliveries in this state.',
    })
    status: DeliveryStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Delivery>> {
    const filters = { endpointId, status: status ?? null }
    return readPage(
      context,
      'webhookDeliveries',
      filters,
      { first, after },
      (from, take) => listDeliveries(context, endpointId, filters.status, from, take),
      ({ createdAt, deliveryId }) => [createdAt.toISOString(), deliveryId],
    )
  }
}
