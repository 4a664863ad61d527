import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { consentStatuses, type ConsentStatus } from '../domain/consent.ts'

const ConsentStatusEnum = wireEnum(
  'AssistConsentStatus',
  consentStatuses,
  'What a party said last about assistants of a type.',
)

@ObjectType({
  description: 'Whether a party agreed that assistants of a type give its data to a provider.',
})
@Directive('@key(fields: "consentId", resolvable: false)')
export class AssistConsent {
  @Field(() => ID)
  consentId: string

  @Field(() => ID)
  partyId: string

  @Field(() => LabelScalar)
  assistantType: string

  @Field(() => String, { description: 'Who gets the data. Another one needs another consent.' })
  provider: string

  @Field(() => ConsentStatusEnum)
  status: ConsentStatus

  @Field(() => TextScalar, { nullable: true, description: 'How it was given.' })
  evidence: string | null

  @Field(() => String)
  decidedBy: string

  @Field(() => DateTimeScalar)
  decidedAt: Date
}

@InputType()
export class AssistConsentInput {
  @Field(() => ID)
  partyId: string

  @Field(() => LabelScalar)
  assistantType: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'How it was given. Required of a person of the bank who writes down a grant.',
  })
  evidence?: string | null
}
