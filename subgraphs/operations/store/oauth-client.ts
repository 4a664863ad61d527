import type { ClientAuthentication } from '../model/enumerations.ts'
import type { ClientProposal } from '../model/oauth-client.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { OAuthClient } from '../domain/oauth-client.ts'
import type { ClientEvent } from '../events.ts'

export const clientTable = tableOf<OAuthClient, Prisma.OAuthClientGetPayload<object>>(
  'operations.oauth_client',
  'clientId',
  ({ db }) => db.oAuthClient,
  ({ proposal, authentication, jwks, ...row }) => ({
    ...row,
    authentication: authentication as ClientAuthentication,
    proposal: proposal as ClientProposal | null,
    jwks: jwks as object | null,
  }),
)

export const clientKind: RecordKind<OAuthClient, ClientEvent> = {
  ...clientTable,
  entity: 'oauth-client',
  id: 'oauthClient',
  notFound: 'OAUTH_CLIENT_NOT_FOUND',
  created: 'operations.oauth-client.registered',
  ownersOf: () => [],
  snapshot: ({ clientId, label, scopes, owner, actsFor, disabledAt }) => ({
    clientId,
    label,
    scopes,
    owner,
    actsFor,
    isDisabled: disabledAt !== null,
  }),
  isPublished: false,
}
