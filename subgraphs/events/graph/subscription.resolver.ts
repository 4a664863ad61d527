import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import type { Subscription, SubscriptionStatus } from '../domain/subscription.ts'
import { listSubscriptions, loadSubscription } from '../store/subscription.ts'
import { changeSubscription, createSubscription } from '../subscription-commands.ts'
import {
  CreateEventSubscriptionInput,
  EventSubscription,
  EventSubscriptionConnection,
  EventSubscriptionFilter,
  SubscriptionStatusEnum,
} from './subscription.types.ts'

@Resolver(() => EventSubscription)
export class SubscriptionResolver {
  @Requires('events:read')
  @Query(() => EventSubscription, {
    description: 'Returns one event subscription of the calling client.',
  })
  async eventSubscription(
    @Arg('subscriptionId', () => ID, { description: 'The identifier of the subscription.' })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    const subscription = await loadSubscription(context, subscriptionId)
    if (subscription) return subscription
    throw new Problem('SUBSCRIPTION_NOT_FOUND', { resourceId: subscriptionId })
  }

  @Requires('events:read')
  @Query(() => EventSubscriptionConnection, {
    description:
      'Returns the event subscriptions of the calling client in the order of their creation.',
  })
  eventSubscriptions(
    @Arg('status', () => SubscriptionStatusEnum, {
      nullable: true,
      description:
        'Only subscriptions in this state; all except deleted subscriptions when omitted.',
    })
    status: SubscriptionStatus | null,
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
  ): Promise<Page<Subscription>> {
    requireBank(context)
    const filters = { status: status ?? null }
    return readPage(
      context,
      'eventSubscriptions',
      filters,
      { first, after },
      (from, take) => listSubscriptions(context, filters.status, from, take),
      ({ createdAt, subscriptionId }) => [createdAt.toISOString(), subscriptionId],
    )
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description:
      'Subscribes the calling client to business events, starting with the next event. A ' +
      'client may have 100 subscriptions.',
  })
  createEventSubscription(
    @Arg('input', () => CreateEventSubscriptionInput, {
      description: 'The subscription to create.',
    })
    input: CreateEventSubscriptionInput,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return createSubscription(context, input)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description:
      'Pauses an active event subscription. Events that occur while it is paused are not ' +
      'delivered.',
  })
  pauseEventSubscription(
    @Arg('subscriptionId', () => ID, { description: 'The identifier of the active subscription.' })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'pause', subscriptionId)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description:
      'Resumes a paused or disabled event subscription, starting with the next event. ' +
      'Earlier events can be replayed.',
  })
  resumeEventSubscription(
    @Arg('subscriptionId', () => ID, {
      description: 'The identifier of the paused or disabled subscription.',
    })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'resume', subscriptionId)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description: 'Permanently deletes an active event subscription.',
  })
  deleteEventSubscription(
    @Arg('subscriptionId', () => ID, { description: 'The identifier of the active subscription.' })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'delete', subscriptionId)
  }

  @FieldResolver(() => EventSubscriptionFilter, {
    description: 'The filter that events must match.',
  })
  filter(@Root() subscription: Subscription): EventSubscriptionFilter {
    return subscription
  }
}
