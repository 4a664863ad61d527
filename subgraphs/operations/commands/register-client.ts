import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { callerPrincipal, isNameTaken } from '../../../kernel/authorization/principals.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import { requireAppUris, requireAuthentication } from '../domain/client-app.ts'
import { nameTaken, requireFreeId, type OAuthClient } from '../domain/oauth-client.ts'
import { Problem } from '../domain/problems.ts'
import type { RegisterOAuthClientInput } from '../model/oauth-client.ts'
import { clientKind } from '../store/oauth-client.ts'
import { readJwks, requireCertificates } from './client-keys.ts'
import { clientDecision } from './client-decision.ts'
import { effectiveRights, rightsOf } from './client-rights.ts'
import { hashOf, newSecret, encryptSecret, type WithSecret } from './client-secret.ts'

/**
 * Registers an OAuth client, with a new secret if it authenticates with one. In live, its rights take
 * effect after a second person approves them.
 * Throws NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, NAME_TAKEN, and whatever `rightsOf`,
 * `requireAuthentication` and `requireAppUris` throw.
 */
export function registerClient(
  context: Context,
  request: RegisterOAuthClientInput,
): Promise<WithSecret> {
  requireBank(context)
  return command(context, 'registerOAuthClient', request, async () => {
    const clientId = request.clientId ?? context.newId('oauthClient')
    requireFreeId(clientId)
    // The names are read first. A concurrent registration between the two reads is then found.
    const isTaken = clientId === context.caller.subject || (await isNameTaken(context, clientId))
    if (await clientKind.find(context, clientId)) {
      throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
    }
    if (isTaken) {
      const detail = `${clientId} is already the name of a person, a party or a client.`
      throw nameTaken('/clientId', detail)
    }
    const authentication = request.authentication ?? 'secret'
    requireAuthentication(authentication, request)
    if (authentication === 'certificate') requireCertificates(context)
    const jwks = request.jwks ? readJwks(request.jwks, authentication) : null
    const none = {
      scopes: [],
      actsFor: [],
      redirectUris: [],
      label: request.label,
      ...requireAppUris(request),
    }
    const rights = await rightsOf(context, request, none)
    const contentHash = fingerprint('registerOAuthClient', request)
    const secret = authentication === 'secret' ? newSecret() : null
    const client: OAuthClient = {
      clientId,
      owner: await callerPrincipal(context),
      ...effectiveRights(context, none, rights),
      authentication,
      jwks,
      isKeyBound: request.isKeyBound ?? false,
      secretHash: secret === null ? null : hashOf(secret),
      formerHash: null,
      formerUntil: null,
      disabledAt: null,
      ...versioned({ id: clientId, contentHash, now: context.now() }),
    }
    const encrypted = secret === null ? null : encryptSecret(context, client, secret)
    const result = { client, encrypted }
    return clientDecision(client, clientKind.created, result, [clientKind.insert(client)])
  })
}
