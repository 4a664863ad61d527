import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { assistantStatuses, type AssistantStatus } from '../domain/assistant-version.ts'
import { consentNeeds, type ConsentNeed } from '../domain/consent.ts'

export const AssistantStatusEnum = wireEnum(
  'AssistantVersionStatus',
  assistantStatuses,
  'Where a version of an assistant stands.',
)
const ConsentNeedEnum = wireEnum(
  'AssistConsentNeed',
  consentNeeds,
  'When whom a session is about has to agree: never, for a model outside the bank, or always.',
)

@ObjectType({
  description:
    'One version of an assistant: what it is for, and may use. One is published at a time.',
})
@Directive('@key(fields: "assistantVersionId", resolvable: false)')
export class AssistantVersion {
  @Field(() => ID)
  assistantVersionId: string

  @Field(() => LabelScalar)
  assistantType: string

  @Field(() => Int, { description: 'Counted from 1 within the type.' })
  number: number

  @Field(() => AssistantStatusEnum)
  status: AssistantStatus

  @Field(() => TextScalar)
  purpose: string

  @Field(() => Boolean, { description: 'Customers may use it for themselves.' })
  isForCustomers: boolean

  @Field(() => [String])
  tools: readonly string[]

  @Field(() => ConsentNeedEnum)
  consent: ConsentNeed

  @Field(() => Int)
  maxMessages: number

  @Field(() => Int)
  maxTokens: number

  @Field(() => Int, { description: 'In millionths of the currency the model is priced in.' })
  maxCostMicros: number

  @Field(() => String)
  draftedBy: string

  @Field(() => String, { nullable: true })
  publishedBy: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  publishedAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true })
  retiredAt: Date | null
}

@InputType()
export class DraftAssistantVersionInput {
  @Field(() => ID, { nullable: true })
  assistantVersionId?: string | null

  @Field(() => LabelScalar)
  assistantType: string

  @Field(() => TextScalar, { description: 'A sentence that it is told as well.' })
  purpose: string

  @Field(() => Boolean, { defaultValue: false })
  isForCustomers: boolean

  @Field(() => [String], { description: 'None that is forbidden.' })
  tools: string[]

  @Field(() => ConsentNeedEnum, { defaultValue: 'outside-model' })
  consent: ConsentNeed

  @Field(() => Int, { defaultValue: 400 })
  maxMessages: number

  @Field(() => Int, { defaultValue: 200_000 })
  maxTokens: number

  @Field(() => Int, { defaultValue: 2_000_000 })
  maxCostMicros: number
}
