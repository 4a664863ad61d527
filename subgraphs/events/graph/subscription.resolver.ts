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
  @Query(() => EventSubscription, { description: 'One subscription of the calling client.' })
  async eventSubscription(
    @Arg('subscriptionId', () => ID) subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    const subscription = await loadSubscription(context, subscriptionId)
    if (subscription) return subscription
    throw new Problem('SUBSCRIPTION_NOT_FOUND', { resourceId: subscriptionId })
  }

  @Requires('events:read')
  @Query(() => EventSubscriptionConnection, {
    description:
      'The subscriptions of the calling client in the order they were made; deleted ones when ' +
      'that status is asked for.',
  })
  eventSubscriptions(
    @Arg('status', () => SubscriptionStatusEnum, { nullable: true })
    status: SubscriptionStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
    description: 'Subscribes the calling client to business events, from now on.',
  })
  createEventSubscription(
    @Arg('input', () => CreateEventSubscriptionInput) input: CreateEventSubscriptionInput,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return createSubscription(context, input)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description: 'Has a subscription hear nothing for a while.',
  })
  pauseEventSubscription(
    @Arg('subscriptionId', () => ID) subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'pause', subscriptionId)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, {
    description: 'Has a paused or disabled subscription hear what comes from now on.',
  })
  resumeEventSubscription(
    @Arg('subscriptionId', () => ID) subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'resume', subscriptionId)
  }

  @Requires('events:subscribe')
  @Mutation(() => EventSubscription, { description: 'Ends an active subscription for good.' })
  deleteEventSubscription(
    @Arg('subscriptionId', () => ID) subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'delete', subscriptionId)
  }

  @FieldResolver(() => EventSubscriptionFilter)
  filter(@Root() subscription: Subscription): EventSubscriptionFilter {
    return subscription
  }
}
