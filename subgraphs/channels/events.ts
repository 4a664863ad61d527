import { declareEvents } from '../../kernel/events/events.ts'

export const channelEvents = declareEvents({
  'channels.channel.created': 'A channel was registered.',
  'channels.channel.updated': 'The name, capabilities or opening hours of a channel changed.',
  'channels.channel.activated': 'An inactive channel was activated.',
  'channels.channel.deactivated': 'A channel was deactivated.',
})

export const queueEvents = declareEvents({
  'channels.queue.created': 'A queue was created.',
})

export const profileEvents = declareEvents({
  'channels.routing-profile.created': 'A routing profile was created.',
  'channels.routing-profile.updated': 'The configuration of a routing profile changed.',
  'channels.routing-profile.activated': 'A routing profile was activated.',
  'channels.routing-profile.deactivated': 'A routing profile was deactivated.',
  'channels.routing-profile.archived': 'A routing profile was archived.',
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

export type ChannelEvent = keyof typeof channelEvents
export type QueueEvent = keyof typeof queueEvents
export type ProfileEvent = keyof typeof profileEvents
export type AgentEvent = keyof typeof agentEvents
export type InteractionEvent = keyof typeof interactionEvents
