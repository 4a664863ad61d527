import { Medium, Direction, InteractionStatus } from './enumerations.ts'
import { Decision } from './routing-decision.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  entity,
  id,
  input,
  instant,
  label,
  list,
  object,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Interaction = entity(
  'Interaction',
  'interactionId',
  'One contact between the bank and a party, or one task for an agent.',
  {
    interactionId: id('The ID of the interaction, such as `int_…`.'),
    partyId: id(
      'The ID of the party in contact with the bank; null if the interaction concerns no party.',
    ).orNull(),
    caseId: id('The ID of the case the interaction is about; null if it is about none.').orNull(),
    channel: oneOf(
      Medium,
      'How the contact takes place: by phone, live chat, email or secure message. The value is ' +
        '`TASK` for work without a contact.',
    ),
    channelId: id(
      'The ID of the registered channel the interaction came through; null if none was given.',
    ).orNull(),
    direction: oneOf(Direction, 'Whether the customer or the bank started the interaction.'),
    subject: string('A short description of what the interaction is about.'),
    language: string(
      'The language that the agent must speak, as a BCP 47 tag; null if the language does not ' +
        'matter.',
    ).orNull(),
    segment: string(
      "The party's customer segment, which is matched against the segments of routing profiles; " +
        'null if none was given.',
    ).orNull(),
    skills: list(string(), 'The skills an agent needs to receive the interaction.'),
    status: oneOf(InteractionStatus, 'The progress of the interaction.'),
    queueId: id(
      'The ID of the queue in which the interaction waits, or from which it was taken; null if ' +
        'the interaction was never routed or no routing profile matches.',
    ).orNull(),
    agentId: id(
      'The ID of the agent who handles or handled the interaction; null if no agent is assigned.',
    ).orNull(),
    waitingSince: instant(
      'When the interaction began to wait; null unless it is waiting.',
    ).orNull(),
    startedAt: instant('When the contact or task started.'),
    endedAt: instant('When the interaction was completed or abandoned; null before that.').orNull(),
    createdAt: instant('When the interaction was recorded.'),
    notes: string('Notes on what was discussed; null if none were recorded.').orNull().forBank(),
    /** The ID of the routing profile that was requested; null if none was. */
    routingProfileId: stored<string | null>(),
    decision: object(
      Decision,
      'The latest routing decision; null if the interaction was never routed.',
    )
      .orNull()
      .forBank(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type Interaction = TypeOf<typeof Interaction>

/** Routing assigns waiting interactions. */
export const interactionStates = stateMachine(
  Interaction,
  'status',
  {
    requeueInteraction: {
      description: 'Puts an assigned interaction back into its queue.',
      scope: 'cases:write',
      from: ['assigned'],
      to: 'waiting',
      event: ['channels.interaction.requeued', 'A contact or task was returned to its queue.'],
      set: ({ now }) => ({ agentId: null, waitingSince: now }),
    },
    completeInteraction: {
      description: 'Completes an interaction.',
      scope: 'cases:write',
      from: ['assigned'],
      to: 'completed',
      event: ['channels.interaction.completed', 'A contact or task was completed.'],
      args: { notes: text('Notes on what was discussed, visible only to the bank.').orNull() },
      set: ({ now }) => ({ endedAt: now }),
    },
    abandonInteraction: {
      description: 'Ends a waiting interaction that no longer needs an agent.',
      scope: 'cases:write',
      from: ['waiting'],
      to: 'abandoned',
      event: [
        'channels.interaction.abandoned',
        'A waiting contact or task ended before an agent received it.',
      ],
      set: ({ now }) => ({ waitingSince: null, endedAt: now }),
      isForDelegatedUsers: true,
    },
  },
  { waiting: ['assigned'] },
)

export const NewInteraction = input('NewInteractionInput', 'The properties of a new interaction.', {
  partyId: id(
    'The ID of the party in contact with the bank. Delegated users must send their own.',
  ).orNull(),
  caseId: id('The ID of the case the interaction is about.').orNull(),
  channel: oneOf(
    Medium,
    'How the contact takes place: by phone, live chat, email or secure message. The value is ' +
      '`TASK` for work without a contact.',
  ),
  channelId: id(
    'The ID of the registered channel the interaction came through. Its `medium` must ' +
      'equal the `channel` of this input.',
  ).orNull(),
  direction: oneOf(
    Direction,
    'Whether the customer or the bank started the interaction. Defaults to `INBOUND`.',
  ).orNull(),
  subject: text('A short description of what the interaction is about.'),
  language: label(
    'The language that the agent must speak, as a BCP 47 tag such as `en`. If omitted, the ' +
      'language does not matter.',
  ).orNull(),
  segment: label(
    "The party's customer segment, which is matched against the segments of routing profiles.",
  ).orNull(),
  skills: list(label(), 'The skills an agent needs to receive the interaction.').orNull(),
  routingProfileId: id(
    'The ID of the routing profile to use. Defaults to the active profile that matches best.',
  ).orNull(),
})
export type NewInteraction = TypeOf<typeof NewInteraction>

export const PreviewRoutingInput = input(
  'PreviewRoutingInput',
  'The contact or task whose routing is previewed.',
  {
    ...NewInteraction.fields,
  },
)
export type PreviewRoutingInput = TypeOf<typeof PreviewRoutingInput>

export const RouteInteractionInput = input(
  'RouteInteractionInput',
  'A contact or task to route to an agent.',
  {
    ...NewInteraction.fields,
    interactionId: id(
      'The ID of the interaction, chosen by the client. Generated if omitted.',
    ).orNull(),
  },
)
export type RouteInteractionInput = TypeOf<typeof RouteInteractionInput>

export const LogInteractionInput = input('LogInteractionInput', 'A contact that is already over.', {
  ...NewInteraction.fields,
  interactionId: id(
    'The ID of the interaction, chosen by the client. Generated if omitted.',
  ).orNull(),
  agentId: id('The ID of the agent who handled the contact.').orNull(),
  notes: text('Notes on what was discussed, visible only to the bank.').orNull(),
  startedAt: instant(
    'When the contact started. Defaults to `endedAt`; must not be after it.',
  ).orNull(),
  endedAt: instant('When the contact ended. Defaults to now; must not be in the future.').orNull(),
})
export type LogInteractionInput = TypeOf<typeof LogInteractionInput>
