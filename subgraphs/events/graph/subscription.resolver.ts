import {
  SubscriptionFilter,
  CreateEventSubscriptionInput,
  EventSubscription,
  EventSubscriptionConnection,
} from '../model/subscription.ts'
import { SubscriptionStatus, SubscriptionRequirement } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { unmetRequirements } from '../domain/requirements.ts'
import type { Subscription } from '../domain/subscription.ts'
import { hasActiveEndpoint } from '../store/endpoint.ts'
import { listSubscriptions, loadSubscription } from '../store/subscription.ts'
import { changeSubscription, createSubscription } from '../commands/subscription.ts'

@Resolver(() => EventSubscription)
export class SubscriptionResolver {
  @Requires('events:read')
  @Query(() => EventSubscription, {
    description: 'Returns one event subscription of the calling client.',
  })
  async eventSubscription(
    @Arg('subscriptionId', () => ID, { description: 'The ID of the subscription.' })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    const subscription = await loadSubscription(context, subscriptionId)
    if (subscription) return subscription
    throw new Problem('SUBSCRIPTION_NOT_FOUND', { resourceId: subscriptionId })
  }

  @Requires('events:read')
  @Query(() => EventSubscriptionConnection, {
    description: 'Returns the event subscriptions of the calling client in order of creation.',
  })
  eventSubscriptions(
    @Arg('status', () => SubscriptionStatus, {
      nullable: true,
      description:
        'Returns only subscriptions in this state. Defaults to all states except `DELETED`.',
    })
    status: SubscriptionStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
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
      'Subscribes the calling client to business events, starting with the next event. A client ' +
      'can have at most 100 subscriptions.',
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
    @Arg('subscriptionId', () => ID, { description: 'The ID of the active subscription.' })
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
      description: 'The ID of the paused or disabled subscription.',
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
    @Arg('subscriptionId', () => ID, { description: 'The ID of the active subscription.' })
    subscriptionId: string,
    @Ctx() context: Context,
  ): Promise<Subscription> {
    return changeSubscription(context, 'delete', subscriptionId)
  }

  @FieldResolver(() => [SubscriptionRequirement], {
    description:
      'What must be supplied before events of the subscription are delivered; empty if nothing ' +
      'is missing, and if the subscription is deleted.',
  })
  async missing(
    @Root() subscription: Subscription,
    @Ctx() context: Context,
  ): Promise<SubscriptionRequirement[]> {
    return unmetRequirements(
      subscription,
      (await hasActiveEndpoint(context, subscription.clientId))!,
    )
  }

  @FieldResolver(() => SubscriptionFilter, {
    description: 'The filter that events must match.',
  })
  filter(@Root() subscription: Subscription): SubscriptionFilter {
    return subscription
  }
}
