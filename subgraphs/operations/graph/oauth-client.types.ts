import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { DateTimeScalar, LabelScalar } from '../../_kernel/scalars.ts'

@ObjectType({ description: 'A program that may call the bank, as the bank registered it.' })
export class OAuthClient {
  @Field(() => ID)
  clientId: string

  @Field(() => LabelScalar)
  label: string

  @Field(() => [String], { description: 'What its tokens may say.' })
  scopes: string[]

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
}
