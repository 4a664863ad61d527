import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const Weekday = enumeration('Weekday', 'A day of the week.', {
  monday: 'Monday.',
  tuesday: 'Tuesday.',
  wednesday: 'Wednesday.',
  thursday: 'Thursday.',
  friday: 'Friday.',
  saturday: 'Saturday.',
  sunday: 'Sunday.',
})
export type Weekday = TypeOf<typeof Weekday>

export const Medium = enumeration(
  'InteractionChannel',
  'How a contact takes place, or `TASK` for work without a contact.',
  {
    voice: 'A phone call.',
    chat: 'A live chat.',
    task: 'A work item without a live contact, such as a case to handle.',
    email: 'An email.',
    'secure-message': "A message in the bank's own secure inbox.",
  },
)
export type Medium = TypeOf<typeof Medium>

export const ChannelStatus = enumeration('ChannelStatus', 'Whether a channel is in use.', {
  active: 'The channel is in use.',
  inactive: 'The channel is closed until it is activated again.',
})
export type ChannelStatus = TypeOf<typeof ChannelStatus>

export const ProfileStatus = enumeration(
  'RoutingProfileStatus',
  'The lifecycle status of a routing profile.',
  {
    draft: 'The routing profile is being prepared and is not used for routing.',
    active: 'The routing profile is used for routing.',
    inactive: 'The routing profile is suspended and can be activated again or archived.',
    archived: 'The routing profile is no longer in use. This status is final.',
  },
)
export type ProfileStatus = TypeOf<typeof ProfileStatus>

export const ProfileRequirement = enumeration(
  'RoutingProfileRequirement',
  'Something that must be supplied before work is routed to agents through a routing profile.',
  {
    activation: 'The `ACTIVE` status. Set it with `activateRoutingProfile`.',
    queue: 'A queue to serve. Add it with `updateRoutingProfile`.',
    agent:
      'An agent who serves a queue of the profile. Create an agent with `createAgent`, or move ' +
      'an agent with `updateAgent`. Until then, work goes to the fallback profile or waits.',
  },
)
export type ProfileRequirement = TypeOf<typeof ProfileRequirement>

export const ProfileKind = enumeration(
  'RoutingProfileKind',
  'The kind of team a routing profile describes.',
  {
    'contact-center': 'A pool of agents, any of whom may take the work.',
    'relationship-manager': 'Relationship managers who look after their own parties.',
  },
)
export type ProfileKind = TypeOf<typeof ProfileKind>

export const AvailabilityTimer = enumeration(
  'AgentAvailabilityTimer',
  'The event from which the idle time of agents is measured. The agent who has been idle ' +
    'longest is preferred.',
  {
    'time-since-last-activity':
      'Idle time counts from the last time the agent received or finished work or changed status.',
    'time-since-last-inbound':
      'Idle time counts from the last inbound interaction the agent received.',
  },
)
export type AvailabilityTimer = TypeOf<typeof AvailabilityTimer>

export const CrossChannelBehavior = enumeration(
  'CrossChannelBehavior',
  'Whether an agent who is working on one channel can receive work from other channels.',
  {
    'route-current-channel-only':
      'While the agent has work on this channel, the agent receives no work from any other ' +
      'channel.',
    'route-any-channel': 'The agent can receive work from other channels at the same time.',
  },
)
export type CrossChannelBehavior = TypeOf<typeof CrossChannelBehavior>

export const AgentStatus = enumeration(
  'AgentStatus',
  'Whether an agent is signed in and can receive work.',
  {
    offline: 'The agent is signed out.',
    available: 'The agent is signed in and can receive work.',
    away: 'The agent is signed in but receives no new work.',
  },
)
export type AgentStatus = TypeOf<typeof AgentStatus>

export const Direction = enumeration(
  'InteractionDirection',
  'Whether the customer or the bank started an interaction.',
  { inbound: 'The customer contacted the bank.', outbound: 'The bank contacted the customer.' },
)
export type Direction = TypeOf<typeof Direction>

export const ReasonCode = enumeration(
  'RoutingReasonCode',
  'The finding of one step of a routing decision.',
  {
    'profile-asked-for': 'The request specified the routing profile to use.',
    'profile-fits':
      "The routing profile matches best by the party's relationship manager, the segment and " +
      'the language.',
    'no-profile-fits': 'No active routing profile serves the channel and the segment.',
    'profile-not-active': 'The routing profile is not active.',
    'outside-hours': 'The routing profile is outside its opening hours.',
    'channel-not-served': 'The routing profile has no queue for the channel.',
    'nobody-staffed': 'No available agent serves the queue.',
    'falls-back': 'Routing continued with the fallback profile.',
    'waits-in-first-profile':
      'No fallback profile could take the work. The work waits in the queue of the first profile ' +
      'that has a queue for it.',
    'queue-chosen': 'The queue was selected for the work.',
    'not-before-delay': "The agents were skipped because the queue entry's delay has not passed.",
    'lacks-skill': 'The agents were skipped because they lack a required skill.',
    'lacks-language': 'The agents were skipped because they do not speak the required language.',
    'medium-not-handled':
      'The agents were skipped because their profile does not handle the channel.',
    'at-capacity':
      'The agents were skipped because they have reached their concurrency limit for the channel.',
    'busy-elsewhere':
      'The agents were skipped because they are working on a channel that excludes other channels.',
    'relationship-manager': "The agent was selected as the party's relationship manager.",
    'deputy-relationship-manager':
      "The agent was selected as one of the routing profile's relationship managers.",
    'first-priority':
      "The agent was selected as the only candidate, or because the agent's routing profile " +
      'gives the queue the highest priority.',
    'longest-idle': 'The agent was selected because they have been idle longest.',
    'nobody-free':
      "None of the queue's available agents can take the work now. The work waits in the queue.",
  },
)
export type ReasonCode = TypeOf<typeof ReasonCode>

export const InteractionStatus = enumeration(
  'InteractionStatus',
  'The progress of an interaction.',
  {
    waiting: 'The interaction is in a queue and no agent has it yet.',
    assigned: 'An agent is handling the interaction.',
    completed: 'The interaction is over. This status is final.',
    abandoned:
      'The interaction ended before an agent took it, because the customer stopped waiting or ' +
      'the work was no longer needed. This status is final.',
  },
)
export type InteractionStatus = TypeOf<typeof InteractionStatus>
