import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { assistantStatuses, type AssistantStatus } from '../domain/assistant-version.ts'
import { consentNeeds, type ConsentNeed } from '../domain/consent.ts'

export const AssistantStatusEnum = wireEnum(
  'AssistantVersionStatus',
  assistantStatuses,
  'The lifecycle status of an assistant version.',
  {
    draft: 'The version was drafted and is not used yet.',
    published: 'New sessions of the assistant type use the version.',
    retired: 'No new session uses the version. This status is final.',
  },
)
const ConsentNeedEnum = wireEnum(
  'AssistConsentNeed',
  consentNeeds,
  'When a session needs the consent of the party it is about.',
  {
    never: 'No consent is needed.',
    'outside-model': 'Consent is needed if the model is operated outside the bank.',
    always: 'Consent is always needed.',
  },
)

@ObjectType({
  description:
    'A version of an assistant: its purpose, tools and limits. At most one version per type is ' +
    'published at a time.',
})
@Directive('@key(fields: "assistantVersionId", resolvable: false)')
export class AssistantVersion {
  @Field(() => ID, { description: 'The ID of the assistant version, such as `asv_…`.' })
  assistantVersionId: string

  @Field(() => LabelScalar, { description: 'The type of the assistant.' })
  assistantType: string

  @Field(() => Int, { description: 'The number of the version within its type, starting at 1.' })
  number: number

  @Field(() => AssistantStatusEnum, { description: 'The lifecycle status of the version.' })
  status: AssistantStatus

  @Field(() => TextScalar, {
    description: 'The purpose of the assistant. The text is part of the prompt.',
  })
  purpose: string

  @Field(() => Boolean, {
    description:
      'Whether customers can use the assistant. If not, only bank employees and service clients ' +
      'can use it.',
  })
  isForCustomers: boolean

  @Field(() => [String], { description: 'The names of the tools the assistant can use.' })
  tools: readonly string[]

  @Field(() => ConsentNeedEnum, {
    description: 'When a session needs the consent of the party it is about.',
  })
  consent: ConsentNeed

  @Field(() => Int, { description: 'The maximum number of messages in a session.' })
  maxMessages: number

  @Field(() => Int, { description: 'The maximum number of tokens used by a session.' })
  maxTokens: number

  @Field(() => Int, {
    description:
      'The maximum cost of a session, in millionths of a unit of the currency in which the model ' +
      'is priced.',
  })
  maxCostMicros: number

  @Field(() => String, { description: 'The user or client who drafted the version.' })
  draftedBy: string

  @Field(() => String, {
    nullable: true,
    description: 'The user or client who published the version; null if it was never published.',
  })
  publishedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the version was published; null if it was never published.',
  })
  publishedAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the version was retired; null before that.',
  })
  retiredAt: Date | null
}

@InputType({ description: 'A new version of an assistant.' })
export class DraftAssistantVersionInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the assistant version, chosen by the client. Generated if omitted.',
  })
  assistantVersionId?: string | null

  @Field(() => LabelScalar, { description: 'The type of the assistant.' })
  assistantType: string

  @Field(() => TextScalar, {
    description:
      'The purpose of the assistant, in one sentence. The text becomes part of the prompt.',
  })
  purpose: string

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether customers can use the assistant. Defaults to `false`.',
  })
  isForCustomers: boolean

  @Field(() => [String], {
    description:
      'The names of the tools the assistant can use. Tools of the class `FORBIDDEN` are rejected.',
  })
  tools: string[]

  @Field(() => ConsentNeedEnum, {
    defaultValue: 'outside-model',
    description:
      'When a session needs the consent of the party it is about. Defaults to `OUTSIDE_MODEL`.',
  })
  consent: ConsentNeed

  @Field(() => Int, {
    defaultValue: 400,
    description: 'The maximum number of messages in a session, at least 1. Defaults to 400.',
  })
  maxMessages: number

  @Field(() => Int, {
    defaultValue: 200_000,
    description: 'The maximum number of tokens used by a session, at least 1. Defaults to 200,000.',
  })
  maxTokens: number

  @Field(() => Int, {
    defaultValue: 2_000_000,
    description:
      'The maximum cost of a session, at least 1, in millionths of a unit of the currency in ' +
      'which the model is priced. Defaults to 2,000,000.',
  })
  maxCostMicros: number
}
