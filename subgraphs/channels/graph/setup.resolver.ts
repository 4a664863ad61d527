import { bankChangeOf, transitionResolver } from '../../../kernel/graph/transitions.ts'
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
import { requireBank, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import * as domain from '../domain/channel.ts'
import { isOpen, opensAt } from '../domain/opening-hours.ts'
import type { Queue } from '../domain/queue.ts'
import { channelKind, channelTable, queueKind, queueTable } from '../store/setup.ts'
import {
  Channel,
  ChannelConnection,
  CreateChannelInput,
  CreateRoutingQueueInput,
  RoutingQueue,
  RoutingQueueConnection,
  UpdateChannelInput,
} from '../model/setup.ts'

const changeChannel = bankChangeOf(channelKind)

@Resolver(() => Channel)
export class ChannelResolver {
  @Requires('routing:read')
  @Query(() => Channel, { description: 'Returns a channel.' })
  async channel(
    @Arg('channelId', () => ID, { description: 'The ID of the channel.' }) channelId: string,
    @Ctx() context: Context,
  ) {
    const found = await channelTable.load(context, channelId)
    return requireFound(found, 'CHANNEL_NOT_FOUND', channelId)
  }

  @Requires('routing:read')
  @Query(() => ChannelConnection, { description: 'Returns channels, oldest first.' })
  channels(
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.Channel>> {
    return readPage(
      context,
      'channels',
      {},
      { first, after },
      (from, take) => channelTable.list(context, {}, from, take),
      channelTable.sortKey,
    )
  }

  @Requires('routing:write')
  @Mutation(() => Channel, { description: 'Registers a channel.' })
  createChannel(
    @Arg('input', () => CreateChannelInput, { description: 'The channel to register.' })
    input: CreateChannelInput,
    @Ctx() context: Context,
  ): Promise<domain.Channel> {
    requireBank(context)
    return createRecord(context, channelKind, 'createChannel', input, input.channelId, (stamp) => ({
      record: domain.newChannel(input, { ...versioned(stamp), channelId: stamp.id }),
    }))
  }

  @Requires('routing:write')
  @Mutation(() => Channel, {
    description: "Replaces a channel's name, capabilities and opening hours.",
  })
  updateChannel(
    @Arg('input', () => UpdateChannelInput, { description: 'The new details of the channel.' })
    input: UpdateChannelInput,
    @Ctx() context: Context,
  ): Promise<domain.Channel> {
    const event = 'channels.channel.updated'
    return changeChannel(
      context,
      'updateChannel',
      { ...input },
      input.channelId,
      event,
      (channel) => domain.changeChannel(channel, input),
    )
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the channel is active and within its opening hours.',
  })
  isOpen(@Root() { status, hours }: domain.Channel, @Ctx() context: Context): boolean {
    return status === 'active' && isOpen(hours, context.now())
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the channel opens next, or the current time if it is open; null if it is inactive ' +
      'or does not open within two weeks.',
  })
  opensAt(@Root() { status, hours }: domain.Channel, @Ctx() context: Context): Date | null {
    return status === 'active' ? opensAt(hours, context.now()) : null
  }
}

@Resolver(() => RoutingQueue)
export class QueueResolver {
  @Requires('routing:read')
  @Query(() => RoutingQueue, { description: 'Returns a queue.' })
  async routingQueue(
    @Arg('queueId', () => ID, { description: 'The ID of the queue.' }) queueId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    return requireFound(await queueTable.load(context, queueId), 'QUEUE_NOT_FOUND', queueId)
  }

  @Requires('routing:read')
  @Query(() => RoutingQueueConnection, { description: 'Returns queues, oldest first.' })
  routingQueues(
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Queue>> {
    requireBank(context)
    return readPage(
      context,
      'routingQueues',
      {},
      { first, after },
      (from, take) => queueTable.list(context, {}, from, take),
      queueTable.sortKey,
    )
  }

  @Requires('routing:write')
  @Mutation(() => RoutingQueue, { description: 'Creates a queue.' })
  createRoutingQueue(
    @Arg('input', () => CreateRoutingQueueInput, { description: 'The queue to create.' })
    input: CreateRoutingQueueInput,
    @Ctx() context: Context,
  ): Promise<Queue> {
    requireBank(context)
    const { name, description = null } = input
    return createRecord(
      context,
      queueKind,
      'createRoutingQueue',
      input,
      input.queueId,
      (stamp) => ({
        record: { ...versioned(stamp), queueId: stamp.id, name, description },
      }),
    )
  }
}

export const ChannelTransitions = transitionResolver(Channel, changeChannel, {
  activateChannel: {
    description: 'Activates an inactive channel.',
    scope: 'routing:write',
    event: 'channels.channel.activated',
    decide: (before) => domain.transitionChannel(before, 'active'),
  },
  deactivateChannel: {
    description: 'Closes a channel until it is activated again.',
    scope: 'routing:write',
    event: 'channels.channel.deactivated',
    decide: (before) => domain.transitionChannel(before, 'inactive'),
  },
})
