import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { revocationKinds, type RevocationKind } from '../../_kernel/revocations.ts'
import { DateTimeScalar } from '../../_kernel/scalars.ts'

const RevocationKindEnum = wireEnum(
  'RevocationKind',
  revocationKinds,
  'The kind of a token revocation.',
  {
    token: 'A single token.',
    client: 'All tokens of an OAuth client.',
    subject: 'All tokens of a person.',
    grant: 'All tokens of an authorization grant.',
  },
)

@InputType({ description: 'The tokens to revoke, selected by exactly one of the fields.' })
export class RevokeTokensInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The identifier of a single token, its `jti` claim.',
  })
  tokenId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The identifier of an OAuth client whose tokens issued until now are revoked.',
  })
  clientId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The identifier of a person whose tokens issued until now are revoked.',
  })
  subject?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of an authorization grant whose tokens are revoked, the `grant_id` ' +
      'claim of its access tokens.',
  })
  grantId?: string | null
}

@ObjectType({ description: 'A revocation of tokens before their expiry.' })
export class TokenRevocation {
  @Field(() => RevocationKindEnum, { description: 'The kind of the revocation.' })
  kind: RevocationKind

  @Field(() => ID, { description: 'The identifier of the token, client, person or grant.' })
  value: string

  @Field(() => DateTimeScalar, {
    description: 'The time up to which issued tokens are revoked, in UTC.',
  })
  issuedUntil: Date
}
