import { requireFound } from '../../../kernel/authorization/auth.ts'
import { object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { changeChannel, newChannel } from '../domain/channel.ts'
import { isOpen, opensAt } from '../domain/opening-hours.ts'
import {
  Channel,
  channelStates,
  CreateChannelInput,
  CreateRoutingQueueInput,
  RoutingQueue,
  UpdateChannelInput,
} from '../model/setup.ts'
import { channelKind, channelTable, queueKind, queueTable } from '../store/setup.ts'

const change = changeOf(channelKind)

export const ChannelOperations = resolverOf({
  queries: {
    channel: lookup(Channel, {
      description: 'Returns a channel.',
      scope: 'routing:read',
      find: async (context, channelId) =>
        requireFound(await channelTable.load(context, channelId), 'CHANNEL_NOT_FOUND', channelId),
    }),
    channels: listing(Channel, {
      description: 'Returns channels, oldest first.',
      scope: 'routing:read',
      ...channelTable,
    }),
  },
  mutations: {
    createChannel: operation({
      description: 'Registers a channel.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Channel,
      args: { input: object(CreateChannelInput, 'The channel to register.') },
      resolve: (context, { input }, name) =>
        createRecord(context, channelKind, name, input, input.channelId, (stamp) => ({
          record: newChannel(input, { ...versioned(stamp), channelId: stamp.id }),
        })),
    }),
    updateChannel: operation({
      description: "Replaces a channel's name, capabilities and opening hours.",
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Channel,
      args: { input: object(UpdateChannelInput, 'The new details of the channel.') },
      resolve: (context, { input }, name) =>
        change(
          context,
          name,
          { ...input },
          input.channelId,
          'channels.channel.updated',
          (channel) => changeChannel(channel, input),
        ),
    }),
    ...transitionsOf(channelStates, change),
  },
})

@Resolver(() => Channel)
export class ChannelResolver {
  @FieldResolver(() => Boolean, {
    description: 'Whether the channel is active and within its opening hours.',
  })
  isOpen(@Root() { status, hours }: Channel, @Ctx() context: Context): boolean {
    return status === 'active' && isOpen(hours, context.now())
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the channel opens next, or the current time if it is open; null if it is inactive ' +
      'or does not open within two weeks.',
  })
  opensAt(@Root() { status, hours }: Channel, @Ctx() context: Context): Date | null {
    return status === 'active' ? opensAt(hours, context.now()) : null
  }
}

export const QueueOperations = resolverOf({
  queries: {
    routingQueue: lookup(RoutingQueue, {
      description: 'Returns a queue.',
      scope: 'routing:read',
      isForBankOnly: true,
      find: async (context, queueId) =>
        requireFound(await queueTable.load(context, queueId), 'QUEUE_NOT_FOUND', queueId),
    }),
    routingQueues: listing(RoutingQueue, {
      description: 'Returns queues, oldest first.',
      scope: 'routing:read',
      isForBankOnly: true,
      ...queueTable,
    }),
  },
  mutations: {
    createRoutingQueue: operation({
      description: 'Creates a queue.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: RoutingQueue,
      args: { input: object(CreateRoutingQueueInput, 'The queue to create.') },
      resolve: (context, { input }, operationName) => {
        const { queueId, name, description = null } = input
        return createRecord(context, queueKind, operationName, input, queueId, (stamp) => ({
          record: { ...versioned(stamp), queueId: stamp.id, name, description },
        }))
      },
    }),
  },
})
