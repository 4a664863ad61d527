import { eventsOf } from '../../kernel/domain/state-machine.ts'
import * as data from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { Agent } from './model/agent.ts'
import { Direction, InteractionStatus, Medium } from './model/enumerations.ts'
import { Interaction, interactionStates } from './model/interaction.ts'
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

export const agentEvents = declareRecordEvents('agent', Agent, {
  'channels.agent.created': 'An agent was created.',
  'channels.agent.updated': 'The name, routing profile, skills or languages of an agent changed.',
  'channels.agent.available': 'An agent became available for work.',
  'channels.agent.away': 'An agent went away and receives no new work.',
  'channels.agent.offline': 'An agent went offline.',
})

export const interactionEvents = declareEvents(
  {
    'channels.interaction.logged': 'A past contact was recorded.',
    'channels.interaction.received':
      'A contact or task arrived. It may have been assigned to an agent immediately.',
    'channels.interaction.assigned': 'A contact or task was assigned to an agent.',
    'channels.interaction.case-linked': 'A contact was linked to the case it is about.',
    ...eventsOf(interactionStates),
  },
  data.record({
    interactionId: data.id,
    partyId: data.orNull(data.id),
    caseId: data.orNull(data.id),
    channel: data.oneOf(Medium.values),
    direction: data.oneOf(Direction.values),
    status: data.oneOf(InteractionStatus.values),
    routingProfileId: data.orNull(data.id),
    queueId: data.orNull(data.id),
    agentId: data.orNull(data.id),
  }),
)
declareSubject('interaction', Interaction)

declareEvents(
  { 'channels.relationship.assigned': 'A relationship manager was assigned to a party.' },
  data.record({ partyId: data.id, agentId: data.id }),
)

export type ChannelEvent = EventTypeOf<typeof channelEvents>
export type QueueEvent = EventTypeOf<typeof queueEvents>
export type ProfileEvent = EventTypeOf<typeof profileEvents>
export type AgentEvent = EventTypeOf<typeof agentEvents>
export type InteractionEvent = keyof typeof interactionEvents
