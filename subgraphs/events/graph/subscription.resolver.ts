import { requireFound } from '../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeSubscription, createSubscription } from '../commands/subscription.ts'
import { unmetRequirements } from '../domain/requirements.ts'
import type { Subscription } from '../domain/subscription.ts'
import { SubscriptionRequirement, SubscriptionStatus } from '../model/enumerations.ts'
import {
  CreateEventSubscriptionInput,
  EventSubscription,
  SubscriptionFilter,
} from '../model/subscription.ts'
import { hasActiveEndpoint } from '../store/endpoint.ts'
import { listSubscriptions, loadSubscription } from '../store/subscription.ts'

/** Returns the mutation that makes a transition of a subscription. */
const transition = (action: 'pause' | 'resume' | 'delete', description: string) =>
  operation({
    description,
    scope: 'events:subscribe',
    returns: EventSubscription,
    args: { subscriptionId: id('The ID of the subscription.') },
    resolve: (context, { subscriptionId }) => changeSubscription(context, action, subscriptionId),
  })

export const SubscriptionOperations = resolverOf({
  queries: {
    eventSubscription: lookup(EventSubscription, {
      description: 'Returns one event subscription of the calling client.',
      scope: 'events:read',
      find: async (context, subscriptionId) =>
        requireFound(
          await loadSubscription(context, subscriptionId),
          'SUBSCRIPTION_NOT_FOUND',
          subscriptionId,
        ),
    }),
    eventSubscriptions: listing(EventSubscription, {
      description: 'Returns the event subscriptions of the calling client in order of creation.',
      scope: 'events:read',
      isForBankOnly: true,
      filters: {
        status: oneOf(
          SubscriptionStatus,
          'Returns only subscriptions in this state. Defaults to all states except `DELETED`.',
        ).orNull(),
      },
      list: (context, { status }, after, take) => listSubscriptions(context, status, after, take),
      sortKey: ({ createdAt, subscriptionId }) => [createdAt.toISOString(), subscriptionId],
    }),
  },
  mutations: {
    createEventSubscription: operation({
      description:
        'Subscribes the calling client to business events, starting with the next event. A ' +
        'client can have at most 100 subscriptions.',
      scope: 'events:subscribe',
      returns: EventSubscription,
      args: { input: object(CreateEventSubscriptionInput, 'The subscription to create.') },
      resolve: (context, { input }) => createSubscription(context, input),
    }),
    pauseEventSubscription: transition(
      'pause',
      'Pauses an active event subscription. Events that occur while it is paused are not ' +
        'delivered.',
    ),
    resumeEventSubscription: transition(
      'resume',
      'Resumes a paused or disabled event subscription, starting with the next event. Earlier ' +
        'events can be replayed.',
    ),
    deleteEventSubscription: transition(
      'delete',
      'Permanently deletes an active event subscription.',
    ),
  },
})

@Resolver(() => EventSubscription)
export class SubscriptionResolver {
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
