import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { DateTimeScalar, LabelScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType({
  description: 'The proposed rights of an OAuth client, which a second person must approve.',
})
export class OAuthClientProposal {
  @Field(() => [String], {
    description: 'All scopes that the client would have after the approval.',
  })
  scopes: string[]

  @Field(() => [LabelScalar], {
    description: 'All people for whom the client could record decisions after the approval.',
  })
  actsFor: string[]

  @Field(() => LabelScalar, {
    description: 'The ID of the person or client that proposed the rights.',
  })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the rights were proposed, in UTC.' })
  proposedAt: string
}

@ObjectType({ description: "An OAuth client that is registered to call the bank's APIs." })
export class OAuthClient {
  @Field(() => ID, { description: 'The ID of the client.' })
  clientId: string

  @Field(() => LabelScalar, { description: 'The display name of the client.' })
  label: string

  @Field(() => [String], {
    description: "The scopes that can be granted to the client's access tokens.",
  })
  scopes: string[]

  @Field(() => LabelScalar, {
    description:
      'The person or client that is accountable for this client: the person who registered it ' +
      'or, if another client registered it, the owner of that client. Four-eyes rules treat a ' +
      'client and its owner as one person.',
  })
  owner: string

  @Field(() => [LabelScalar], {
    description: 'The people whose decisions the client may record, as named in `decidedBy`.',
  })
  actsFor: string[]

  @Field(() => OAuthClientProposal, {
    nullable: true,
    description:
      'The rights that wait for the approval of a second person; null if there are none.',
  })
  proposal: OAuthClientProposal | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the client was disabled, in UTC; null while it is enabled.',
  })
  disabledAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the previous secret expires or expired, in UTC; null if there is none or its overlap ' +
      'was 0 hours.',
  })
  formerUntil: Date | null

  @Field(() => DateTimeScalar, { description: 'When the client was registered, in UTC.' })
  createdAt: Date
}

export const OAuthClientConnection = connectionOf('OAuthClient', () => OAuthClient)

@ObjectType({
  description: 'An OAuth client with its new secret. The secret is returned only once.',
})
export class OAuthClientWithSecret {
  @Field(() => OAuthClient, { description: 'The OAuth client.' })
  client: OAuthClient
}

@InputType({ description: 'The OAuth client to register.' })
export class RegisterOAuthClientInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the new client; generated if omitted. It must not be in use.',
  })
  clientId?: string | null

  @Field(() => LabelScalar, { description: 'The display name of the client.' })
  label: string

  @Field(() => [LabelScalar], {
    description: 'The scopes of the client, at least one. The caller must have all of them.',
  })
  scopes: string[]

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The people whose decisions the client may record, at most 200. Defaults to none. A name ' +
      'must not be the ID of a client.',
  })
  actsFor?: string[] | null
}

@InputType({ description: 'The changes to an OAuth client. Omitted fields keep their values.' })
export class ChangeOAuthClientInput {
  @Field(() => ID, { description: 'The ID of the client.' })
  clientId: string

  @Field(() => LabelScalar, { nullable: true, description: 'The new display name of the client.' })
  label?: string | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The complete new list of scopes. Removing a scope revokes all tokens of the client.',
  })
  scopes?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The complete new list of people whose decisions the client may record, at most 200. A ' +
      'name must not be the ID of a client.',
  })
  actsFor?: string[] | null
}
