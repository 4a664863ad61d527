import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { revocationKinds, type RevocationKind } from '../../_kernel/revocations.ts'
import { DateTimeScalar } from '../../_kernel/scalars.ts'

const RevocationKindEnum = wireEnum('RevocationKind', revocationKinds, 'What was revoked.')

@InputType({ description: 'What to revoke: exactly one of these.' })
export class RevokeTokensInput {
  @Field(() => ID, { nullable: true, description: 'One token, by its `jti`.' })
  tokenId?: string | null

  @Field(() => ID, { nullable: true, description: 'All tokens of an OAuth client until now.' })
  clientId?: string | null

  @Field(() => ID, { nullable: true, description: 'All tokens of a person until now.' })
  subject?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'All tokens of a grant, by the `grant_id` that its access tokens carry.',
  })
  grantId?: string | null
}

@ObjectType({ description: 'Tokens that are void before their time.' })
export class TokenRevocation {
  @Field(() => RevocationKindEnum)
  kind: RevocationKind

  @Field(() => ID)
  value: string

  @Field(() => DateTimeScalar, { description: 'What was issued until then is void.' })
  issuedUntil: Date
}
