import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { DateTimeScalar, LabelScalar } from '../../_kernel/scalars.ts'

@ObjectType({ description: 'Rights of a client that a second person has to approve.' })
export class OAuthClientProposal {
  @Field(() => [String], { description: 'All scopes the client would have.' })
  scopes: string[]

  @Field(() => [LabelScalar], { description: 'All people the client would act for.' })
  actsFor: string[]

  @Field(() => LabelScalar, { description: 'The person or client that proposed the rights.' })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the rights were proposed, in UTC.' })
  proposedAt: string
}

@ObjectType({ description: 'A program that may call the bank, as the bank registered it.' })
export class OAuthClient {
  @Field(() => ID)
  clientId: string

  @Field(() => LabelScalar)
  label: string

  @Field(() => [String], { description: 'What its tokens may say.' })
  scopes: string[]

  @Field(() => LabelScalar, {
    description:
      'The person or client that is answerable for this client: whoever registered it, or the owner of the client that did. Four-eyes rules treat a client and its owner as one person.',
  })
  owner: string

  @Field(() => [LabelScalar], {
    description: 'People whose decisions the client may record, as `decidedBy` names them.',
  })
  actsFor: string[]

  @Field(() => OAuthClientProposal, {
    nullable: true,
    description: 'Rights that wait for a second person; null when none do.',
  })
  proposal: OAuthClientProposal | null

  @Field(() => DateTimeScalar, { nullable: true })
  disabledAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when the secret before the present one is good.',
  })
  formerUntil: Date | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const OAuthClientConnection = connectionOf('OAuthClient', () => OAuthClient)

@ObjectType({ description: 'A client with its new secret, which nobody can show again.' })
export class OAuthClientWithSecret {
  @Field(() => OAuthClient)
  client: OAuthClient
}

@InputType()
export class RegisterOAuthClientInput {
  @Field(() => ID, { nullable: true })
  clientId?: string | null

  @Field(() => LabelScalar, { description: 'Who it is, for people.' })
  label: string

  @Field(() => [LabelScalar], { description: 'None that you do not have yourself.' })
  scopes: string[]

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'People whose decisions the client may record; nobody when absent. No name may be that of a client. At most 200.',
  })
  actsFor?: string[] | null
}

@InputType()
export class ChangeOAuthClientInput {
  @Field(() => ID)
  clientId: string

  @Field(() => LabelScalar, { nullable: true })
  label?: string | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'All that it may do from now on. With less than before, its tokens are void.',
  })
  scopes?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'All people the client acts for from now on; unchanged when absent. No name may be that of a client. At most 200.',
  })
  actsFor?: string[] | null
}
