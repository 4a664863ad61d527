import { Field, ID, InputType } from 'type-graphql'
import { LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'

@InputType({ description: 'The record an assist session is about. At most one field can be set.' })
export class AssistSubjectInput {
  @Field(() => ID, { nullable: true, description: 'The ID of a party.' })
  partyId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of a customer.' })
  customerId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of a case.' })
  caseId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of a loan application.' })
  applicationId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of a loan or facility.' })
  facilityId?: string | null
}

@InputType({ description: 'A new assist session.' })
export class CreateAssistSessionInput {
  @Field(() => LabelScalar, {
    description:
      'The type of the assistant. A type that has neither a published nor a retired version gets ' +
      'a general assistant without tools.',
  })
  assistantType: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the session, chosen by the client. Generated if omitted.',
  })
  sessionId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The initial status; only `active` is allowed, which is the default.',
  })
  status?: string | null

  @Field(() => AssistSubjectInput, {
    nullable: true,
    description:
      "The record the session is about. The assistant can read only the data of that record's " +
      'party, if the record has one.',
  })
  subject?: AssistSubjectInput | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The channel the user is on, such as `web`. Stored for reference.',
  })
  channel?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The language of the conversation, as a BCP 47 tag. Defaults to `en`.',
  })
  locale?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The purpose of the conversation. Stored for reference.',
  })
  purpose?: string | null
}

@InputType({
  description:
    'A message of the user to an assistant. Exactly one of `content`, `message` and `text` must ' +
    'be sent.',
})
export class SendAssistMessageInput {
  @Field(() => ID, { description: 'The ID of the session.' })
  sessionId: string

  @Field(() => String, {
    nullable: true,
    description: 'The text of the message, from 1 to 16,000 characters.',
  })
  content?: string | null

  @Field(() => String, { nullable: true, description: 'An alias of `content`.' })
  message?: string | null

  @Field(() => String, { nullable: true, description: 'An alias of `content`.' })
  text?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The role of the author; only `user` is allowed.',
  })
  role?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'A message ID chosen by the client. A message sent again with the same ID returns the ' +
      'first answer.',
  })
  clientMessageId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'A new ID that the client chooses to read the steps of the turn with `assistTurn` while ' +
      'the turn runs.',
  })
  streamId?: string | null
}
