import { declareEvents } from '../_kernel/events.ts'

export const channelEvents = declareEvents({
  'channels.channel.created': 'The bank can be reached another way.',
  'channels.channel.updated': 'The name, hours or capabilities of a channel changed.',
  'channels.channel.activated': 'A channel is in use again.',
  'channels.channel.deactivated': 'A channel is not in use for a while.',
})

export const queueEvents = declareEvents({
  'channels.queue.created': 'There is a new queue.',
})

export const profileEvents = declareEvents({
  'channels.routing-profile.created': 'There is a new routing profile.',
  'channels.routing-profile.updated': 'A routing profile routes otherwise.',
  'channels.routing-profile.activated': 'A routing profile is in force.',
  'channels.routing-profile.deactivated': 'A routing profile is not in force for a while.',
  'channels.routing-profile.archived': 'A routing profile is not used any more.',
})

export const agentEvents = declareEvents({
  'channels.agent.created': 'Somebody of the bank answers from now on.',
  'channels.agent.updated': 'The profile, skills or languages of an agent changed.',
  'channels.agent.available': 'An agent takes work.',
  'channels.agent.away': 'An agent takes no work for a while.',
  'channels.agent.offline': 'An agent has gone.',
})

export const interactionEvents = declareEvents({
  'channels.interaction.logged': 'A contact that is over was recorded.',
  'channels.interaction.received':
    'A contact or a task came in; it may have been given to somebody at once.',
  'channels.interaction.assigned': 'A contact or a task that waited was given to somebody.',
  'channels.interaction.requeued': 'Somebody gave a contact or a task back.',
  'channels.interaction.completed': 'A contact or a task is done.',
  'channels.interaction.abandoned': 'Nobody waits for an answer any more.',
  'channels.interaction.case-linked': 'A contact turned out to be about a case.',
})

declareEvents({
  'channels.relationship.assigned': 'A party has a relationship manager.',
})

export type ChannelEvent = keyof typeof channelEvents
export type QueueEvent = keyof typeof queueEvents
export type ProfileEvent = keyof typeof profileEvents
export type AgentEvent = keyof typeof agentEvents
export type InteractionEvent = keyof typeof interactionEvents
