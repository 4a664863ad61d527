import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { revocationKinds, type RevocationKind } from '../../../kernel/authorization/revocations.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'

const RevocationKindEnum = wireEnum(
  'RevocationKind',
  revocationKinds,
  'The tokens that a revocation affects.',
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
    description: 'The ID of a single token: its `jti` claim.',
  })
  tokenId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of an OAuth client whose tokens issued until now are revoked.',
  })
  clientId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of a person whose tokens issued until now are revoked.',
  })
  subject?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of an authorization grant whose tokens are revoked: the `grant_id` claim of its ' +
      'access tokens.',
  })
  grantId?: string | null
}

@ObjectType({ description: 'A revocation of tokens before they expire.' })
export class TokenRevocation {
  @Field(() => RevocationKindEnum, {
    description:
      'Whether the revocation affects a single token, or all tokens of a client, a person or a ' +
      'grant.',
  })
  kind: RevocationKind

  @Field(() => ID, { description: 'The ID of the token, client, person or grant.' })
  value: string

  @Field(() => DateTimeScalar, {
    description: 'The revocation affects tokens that were issued up to this time, in UTC.',
  })
  issuedUntil: Date
}
