import { ClientAuthentication } from './enumerations.ts'
import {
  boolean,
  id,
  input,
  instant,
  jsonObject,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ClientProposal = shape(
  'OAuthClientProposal',
  'The proposed rights of an OAuth client, which a second person must approve.',
  {
    scopes: list(string(), 'All scopes that the client would have after the approval.'),
    actsFor: list(
      label(),
      'All people for whom the client could record decisions after the approval.',
    ),
    redirectUris: list(
      string(),
      'All redirect URIs that the client would have after the approval; null if they do not change.',
    ).orNull(),
    label: label(
      'The display name that the client would have after the approval; null if it does not change.',
    ).orNull(),
    logoUri: string('The URL of the logo after the approval; null if it does not change.').orNull(),
    backchannelLogoutUri: string(
      'The URL that is called when a person logs out, after the approval; null if it does not ' +
        'change.',
    ).orNull(),
    proposedBy: label('The ID of the person or client that proposed the rights.'),
    proposedAt: instant('When the rights were proposed, in UTC.').as<string>(),
  },
)
export type ClientProposal = TypeOf<typeof ClientProposal>

export const OAuthClient = shape(
  'OAuthClient',
  "An OAuth client that is registered to call the bank's APIs.",
  {
    clientId: id('The ID of the client.'),
    label: label('The display name of the client.'),
    scopes: list(string(), "The scopes that can be granted to the client's access tokens."),
    owner: label(
      'The person or client that is accountable for this client: the person who registered it ' +
        'or, if another client registered it, the owner of that client. Four-eyes rules treat a ' +
        'client and its owner as one person.',
    ),
    actsFor: list(
      label(),
      'The people whose decisions the client may record, as named in `decidedBy`. If it is only ' +
        'the owner of the client, the client also does, in the name of the owner, what needs a ' +
        'person.',
    ),
    proposal: object(
      ClientProposal,
      'The rights that wait for the approval of a second person; null if there are none.',
    ).orNull(),
    authentication: oneOf(ClientAuthentication, 'How the client authenticates.'),
    isKeyBound: boolean(
      'Whether the access tokens of the client must be bound to a key of the client (DPoP).',
    ),
    jwks: jsonObject(
      'The public keys or certificates of the client as a JSON Web Key Set (RFC 7517); null if it ' +
        'has none.',
    ).orNull(),
    redirectUris: list(
      string(),
      'The URIs to which people return after a login. A client with redirect URIs is an app that ' +
        'acts for customers; any other client acts for itself.',
    ),
    logoUri: string('The URL of the logo on the consent page; null if there is none.').orNull(),
    backchannelLogoutUri: string(
      'The URL that is called when a person logs out (OpenID Connect Back-Channel Logout); null if ' +
        'there is none.',
    ).orNull(),
    disabledAt: instant('When the client was disabled, in UTC; null while it is enabled.').orNull(),
    formerUntil: instant(
      'When the previous secret expires or expired, in UTC; null if there is none or its overlap ' +
        'was 0 hours.',
    ).orNull(),
    createdAt: instant('When the client was registered, in UTC.'),
  },
)
export type OAuthClient = TypeOf<typeof OAuthClient>

export const OAuthClientWithSecret = shape(
  'OAuthClientWithSecret',
  'An OAuth client with its new secret. The secret is returned only once.',
  {
    client: object(OAuthClient, 'The OAuth client.'),
  },
)

export const RegisterOAuthClientInput = input(
  'RegisterOAuthClientInput',
  'The OAuth client to register.',
  {
    clientId: id('The ID of the new client; generated if omitted. It must not be in use.').orNull(),
    label: label('The display name of the client.'),
    scopes: list(
      label(),
      'The scopes of the client, at least one. The caller must have all of them.',
    ),
    actsFor: list(
      label(),
      'The people whose decisions the client may record, at most 200. Defaults to none. A name ' +
        'must not be the ID of a client. If it is only the caller, the client also does, in the ' +
        'name of the caller, what needs a person.',
    ).orNull(),
    authentication: oneOf(
      ClientAuthentication,
      'How the client authenticates. Defaults to `SECRET`. If the server runs with the security ' +
        'profile `fapi2`, only clients with `PRIVATE_KEY` or `CERTIFICATE` can request tokens.',
    ).orNull(),
    jwks: jsonObject(
      'The public keys of a client with `PRIVATE_KEY`, as a JSON Web Key Set (RFC 7517) with 1 to ' +
        '10 keys of the types EC P-256, Ed25519, or RSA with 2048 bits or more; of a client with ' +
        '`CERTIFICATE`, 1 to 10 keys with the member `x5c`, which contains its certificate. ' +
        'Otherwise omit it.',
    ).orNull(),
    isKeyBound: boolean(
      'Whether the access tokens of the client must be bound to a key of the client (DPoP, ' +
        'RFC 9449). Defaults to false.',
    ).orNull(),
    redirectUris: list(
      string(),
      'The URIs to which people return after a login, at most 20. They must use HTTPS, except on ' +
        'the loopback interface. A client with redirect URIs is an app that acts for the customers ' +
        'who log in. Defaults to none: the client acts for itself.',
    ).orNull(),
    logoUri: string('The URL of the logo on the consent page, with HTTPS.').orNull(),
    backchannelLogoutUri: string(
      'The URL that is called when a person logs out (OpenID Connect Back-Channel Logout).',
    ).orNull(),
  },
)
export type RegisterOAuthClientInput = TypeOf<typeof RegisterOAuthClientInput>

export const ChangeOAuthClientInput = input(
  'ChangeOAuthClientInput',
  'The changes to an OAuth client. Omitted fields keep their values.',
  {
    clientId: id('The ID of the client.'),
    label: label('The new display name of the client.').orNull(),
    scopes: list(
      label(),
      'The complete new list of scopes. Removing a scope revokes all tokens of the client.',
    ).orNull(),
    actsFor: list(
      label(),
      'The complete new list of people whose decisions the client may record, at most 200. A ' +
        'name must not be the ID of a client.',
    ).orNull(),
    redirectUris: list(
      string(),
      'The complete new list of redirect URIs of an app, at least one and at most 20.',
    ).orNull(),
    logoUri: string('The new URL of the logo on the consent page, with HTTPS.').orNull(),
    backchannelLogoutUri: string('The new URL that is called when a person logs out.').orNull(),
  },
)
export type ChangeOAuthClientInput = TypeOf<typeof ChangeOAuthClientInput>
