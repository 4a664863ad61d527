import { AssistTool } from './assist.ts'
import { AssistantStatus, ConsentNeed } from './enumerations.ts'
import {
  boolean,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

/** A version of an assistant. Its content never changes. */
export const AssistantVersion = entity(
  'AssistantVersion',
  'assistantVersionId',
  'A version of an assistant: its purpose, tools and limits. At most one version per type is ' +
    'published at a time.',
  {
    assistantVersionId: id('The ID of the assistant version, such as `asv_…`.').inEvents(),
    assistantType: label('The type of the assistant.').inEvents(),
    number: integer('The number of the version within its type, starting at 1.').inEvents(),
    status: oneOf(AssistantStatus, 'The lifecycle status of the version.').inEvents(),
    purpose: text('The purpose of the assistant. The text is part of the prompt.'),
    isForCustomers: boolean(
      'Whether customers can use the assistant. If not, only bank employees and service clients ' +
        'can use it.',
    ),
    tools: list(string(), 'The names of the tools the assistant can use.'),
    consent: oneOf(ConsentNeed, 'When a session needs the consent of the party it is about.'),
    maxMessages: integer('The maximum number of messages in a session.'),
    maxTokens: integer('The maximum number of tokens used by a session.'),
    maxCostMicros: integer(
      'The maximum cost of a session, in millionths of a unit of the currency in which the model ' +
        'is priced.',
    ),
    draftedBy: string('The user or client who drafted the version.'),
    publishedBy: string(
      'The user or client who published the version; null if it was never published.',
    ).orNull(),
    publishedAt: instant(
      'When the version was published; null if it was never published.',
    ).orNull(),
    retiredAt: instant('When the version was retired; null before that.').orNull(),
    contentHash: stored<string>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
    updatedAt: stored<Date>(),
  },
  { isResolvable: false },
)
export type AssistantVersion = TypeOf<typeof AssistantVersion>

export const Assistant = shape('Assistant', 'An assistant that the caller can talk to.', {
  assistantType: label('The type of the assistant, for `createAssistSession`.'),
  isForCustomers: boolean('Whether customers can use the assistant, or only the bank.'),
  isConsentRequired: boolean(
    'Whether a session about a party requires the consent of this party, see ' +
      '`grantAssistConsent`.',
  ),
  tools: list(object(AssistTool), 'The tools the assistant can use.'),
})
export type Assistant = TypeOf<typeof Assistant>

export const assistantStates = stateMachine(AssistantVersion, 'status', {
  publishAssistantVersion: {
    description:
      'Publishes a draft and retires the previously published version of its type. The author of ' +
      'the draft cannot publish it. Open sessions keep their version.',
    scope: 'operations:manage',
    needsPerson: true,
    from: ['draft'],
    to: 'published',
    event: ['ai.assistant.published', 'A version of an assistant was published.'],
    set: ({ now, subject }) => ({ publishedBy: subject, publishedAt: now }),
  },
  retireAssistantVersion: {
    description: 'Retires a version. New sessions no longer use it.',
    scope: 'operations:manage',
    needsPerson: true,
    from: ['draft', 'published'],
    to: 'retired',
    event: ['ai.assistant.retired', 'A version of an assistant was retired.'],
    set: ({ now }) => ({ retiredAt: now }),
  },
})

export const DraftAssistantVersionInput = input(
  'DraftAssistantVersionInput',
  'A new version of an assistant.',
  {
    assistantVersionId: id(
      'The ID of the assistant version, chosen by the client. Generated if omitted.',
    ).orNull(),
    assistantType: label('The type of the assistant.'),
    purpose: text(
      'The purpose of the assistant, in one sentence. The text becomes part of the prompt.',
    ),
    isForCustomers: boolean(
      'Whether customers can use the assistant. Defaults to `false`.',
    ).defaultsTo(false),
    tools: list(
      string(),
      'The names of the tools the assistant can use. Tools of the class `FORBIDDEN` are rejected.',
    ),
    consent: oneOf(
      ConsentNeed,
      'When a session needs the consent of the party it is about. Defaults to `OUTSIDE_MODEL`.',
    ).defaultsTo('outside-model'),
    maxMessages: integer(
      'The maximum number of messages in a session, at least 1. Defaults to 400.',
    ).defaultsTo(400),
    maxTokens: integer(
      'The maximum number of tokens used by a session, at least 1. Defaults to 200,000.',
    ).defaultsTo(200_000),
    maxCostMicros: integer(
      'The maximum cost of a session, at least 1, in millionths of a unit of the currency in ' +
        'which the model is priced. Defaults to 2,000,000.',
    ).defaultsTo(2_000_000),
  },
)
export type DraftAssistantVersionInput = TypeOf<typeof DraftAssistantVersionInput>
