import {
  enumeration,
  id,
  input,
  instant,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

const RevocationKindEnum = enumeration('RevocationKind', 'The tokens that a revocation affects.', {
  token: 'A single token.',
  client: 'All tokens of an OAuth client.',
  subject: 'All tokens of a person.',
  grant: 'All tokens of an authorization grant.',
  session: 'No tokens, but a browser session of a person, who has to log in again.',
})

export const RevokeTokensInput = input(
  'RevokeTokensInput',
  'The tokens to revoke, selected by exactly one of the fields.',
  {
    tokenId: id('The ID of a single token: its `jti` claim.').orNull(),
    clientId: id('The ID of an OAuth client whose tokens issued until now are revoked.').orNull(),
    subject: id('The ID of a person whose tokens issued until now are revoked.').orNull(),
    grantId: id(
      'The ID of an authorization grant whose tokens are revoked: the `grant_id` claim of its ' +
        'access tokens.',
    ).orNull(),
  },
)
export type RevokeTokensInput = TypeOf<typeof RevokeTokensInput>

export const TokenRevocation = shape(
  'TokenRevocation',
  'A revocation of tokens before they expire.',
  {
    kind: oneOf(
      RevocationKindEnum,
      'Whether the revocation affects a single token, or all tokens of a client, a person or a ' +
        'grant.',
    ),
    value: id('The ID of the token, client, person or grant.'),
    issuedUntil: instant('The revocation affects tokens that were issued up to this time, in UTC.'),
  },
)
export type TokenRevocation = TypeOf<typeof TokenRevocation>
