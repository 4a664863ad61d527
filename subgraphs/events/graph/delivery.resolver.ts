import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import type { DeliveryStatus } from '../domain/delivery.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { listDeliveries, loadAttempts, loadDelivery, type Delivery } from '../store/delivery.ts'
import { loadEndpoint } from '../store/endpoint.ts'
import { loadEvent } from '../store/log.ts'
import { BusinessEvent } from './business-event.types.ts'
import {
  DeliveryStatusEnum,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
} from './webhook.types.ts'

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @Requires('events:read')
  @Query(() => WebhookDelivery, {
    description: 'Returns one delivery to a webhook endpoint of the calling client.',
  })
  async webhookDelivery(
    @Arg('deliveryId', () => ID, { description: 'The identifier of the delivery.' })
    deliveryId: string,
    @Ctx() context: Context,
  ): Promise<Delivery> {
    const delivery = await loadDelivery(context, deliveryId)
    if (delivery) return delivery
    throw new Problem('WEBHOOK_DELIVERY_NOT_FOUND', { resourceId: deliveryId })
  }

  @FieldResolver(() => [WebhookAttempt], {
    description: 'All attempts of the delivery, the first one first.',
  })
  attempts(@Root() { deliveryId }: Delivery, @Ctx() context: Context) {
    return loadAttempts(context, deliveryId)
  }

  @FieldResolver(() => BusinessEvent, {
    nullable: true,
    description: 'The delivered event; null when the caller may not see it.',
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
      'The deliveries to the endpoint in the order in which they were planned. A delivery ' +
      'is kept for 30 days after it ended.',
  })
  deliveries(
    @Root() { endpointId }: Endpoint,
    @Arg('status', () => DeliveryStatusEnum, {
      nullable: true,
      description: 'Only deliveries in this state.',
    })
    status: DeliveryStatus | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
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
