import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareRecordEvents, type EventTypeOf } from '../../kernel/events/record-data.ts'
import { profileStates, RoutingProfile } from './model/profile.ts'
import { Channel, channelStates, RoutingQueue } from './model/setup.ts'

export const channelEvents = declareRecordEvents('channel', Channel, {
  'channels.channel.created': 'A channel was registered.',
  'channels.channel.updated': 'The name, capabilities or opening hours of a channel changed.',
  ...eventsOf(channelStates),
})

export const queueEvents = declareRecordEvents('queue', RoutingQueue, {
  'channels.queue.created': 'A queue was created.',
})

export const profileEvents = declareRecordEvents('routing-profile', RoutingProfile, {
  'channels.routing-profile.created': 'A routing profile was created.',
  'channels.routing-profile.updated': 'The configuration of a routing profile changed.',
  ...eventsOf(profileStates),
})

export const agentEvents = declareEvents({
  'channels.agent.created': 'An agent was created.',
  'channels.agent.updated': 'The name, routing profile, skills or languages of an agent changed.',
  'channels.agent.available': 'An agent became available for work.',
  'channels.agent.away': 'An agent went away and receives no new work.',
  'channels.agent.offline': 'An agent went offline.',
})

export const interactionEvents = declareEvents({
  'channels.interaction.logged': 'A past contact was recorded.',
  'channels.interaction.received':
    'A contact or task arrived. It may have been assigned to an agent immediately.',
  'channels.interaction.assigned': 'A contact or task was assigned to an agent.',
  'channels.interaction.requeued': 'A contact or task was returned to its queue.',
  'channels.interaction.completed': 'A contact or task was completed.',
  'channels.interaction.abandoned': 'A waiting contact or task ended before an agent received it.',
  'channels.interaction.case-linked': 'A contact was linked to the case it is about.',
})

declareEvents({
  'channels.relationship.assigned': 'A relationship manager was assigned to a party.',
})

export type ChannelEvent = EventTypeOf<typeof channelEvents>
export type QueueEvent = EventTypeOf<typeof queueEvents>
export type ProfileEvent = EventTypeOf<typeof profileEvents>
export type AgentEvent = keyof typeof agentEvents
export type InteractionEvent = keyof typeof interactionEvents
