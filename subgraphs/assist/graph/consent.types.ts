import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { consentStatuses, type ConsentStatus } from '../domain/consent.ts'

const ConsentStatusEnum = wireEnum(
  'AssistConsentStatus',
  consentStatuses,
  "A party's latest decision on sharing its data with an assistant's model.",
  { granted: 'The party consents.', withdrawn: 'The party declined or withdrew consent.' },
)

@ObjectType({
  description:
    "A party's consent to assistants of one type sharing its data with a model provider.",
})
@Directive('@key(fields: "consentId", resolvable: false)')
export class AssistConsent {
  @Field(() => ID, { description: 'The ID of the consent, such as `cns_…`.' })
  consentId: string

  @Field(() => ID, { description: 'The ID of the party.' })
  partyId: string

  @Field(() => LabelScalar, { description: 'The type of assistant the consent covers.' })
  assistantType: string

  @Field(() => String, {
    description:
      'The model provider that receives the data. The consent does not cover other providers.',
  })
  provider: string

  @Field(() => ConsentStatusEnum, { description: "The party's latest decision." })
  status: ConsentStatus

  @Field(() => TextScalar, {
    nullable: true,
    description: 'How the party gave or withdrew the consent; null if this was not recorded.',
  })
  evidence: string | null

  @Field(() => String, { description: 'The user or client who recorded the decision.' })
  decidedBy: string

  @Field(() => DateTimeScalar, { description: 'When the decision was recorded.' })
  decidedAt: Date
}

@InputType({ description: "A party's decision on sharing its data with an assistant's model." })
export class AssistConsentInput {
  @Field(() => ID, { description: 'The ID of the party.' })
  partyId: string

  @Field(() => LabelScalar, { description: 'The type of assistant the decision covers.' })
  assistantType: string

  @Field(() => TextScalar, {
    nullable: true,
    description:
      "How the party made the decision. Required when the bank records a grant on the party's " +
      'behalf.',
  })
  evidence?: string | null
}
