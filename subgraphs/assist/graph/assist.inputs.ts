import { Field, ID, InputType } from 'type-graphql'
import { LabelScalar, TextScalar } from '../../_kernel/scalars.ts'

@InputType({ description: 'What a session is about: at most one of these.' })
export class AssistSubjectInput {
  @Field(() => ID, { nullable: true })
  partyId?: string | null

  @Field(() => ID, { nullable: true })
  customerId?: string | null

  @Field(() => ID, { nullable: true })
  caseId?: string | null

  @Field(() => ID, { nullable: true })
  applicationId?: string | null

  @Field(() => ID, { nullable: true })
  facilityId?: string | null
}

@InputType()
export class CreateAssistSessionInput {
  @Field(() => LabelScalar, { description: 'A type nobody set up has an assistant without tools.' })
  assistantType: string

  @Field(() => ID, { nullable: true })
  sessionId?: string | null

  @Field(() => LabelScalar, { nullable: true, description: '`active` when absent.' })
  status?: string | null

  @Field(() => AssistSubjectInput, {
    nullable: true,
    description: 'It reads what is that party’s, and nothing else.',
  })
  subject?: AssistSubjectInput | null

  @Field(() => LabelScalar, { nullable: true })
  channel?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'BCP 47; `en` when absent.' })
  locale?: string | null

  @Field(() => TextScalar, { nullable: true })
  purpose?: string | null
}

@InputType()
export class SendAssistMessageInput {
  @Field(() => ID)
  sessionId: string

  @Field(() => String, {
    nullable: true,
    description: 'The question, at most 16,000 characters: here, or under one of its other names.',
  })
  content?: string | null

  @Field(() => String, { nullable: true, description: 'Another name of `content`.' })
  message?: string | null

  @Field(() => String, { nullable: true, description: 'Another name of `content`.' })
  text?: string | null

  @Field(() => LabelScalar, { nullable: true, description: '`user`, and nothing else.' })
  role?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The same id again answers what was answered.',
  })
  clientMessageId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'Any new text; `assistTurn` tells the steps of the turn under it meanwhile.',
  })
  streamId?: string | null
}
