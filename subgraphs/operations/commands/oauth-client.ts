import { requireBank, requireVisible } from '../../../kernel/authorization/auth.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { insertRevocation, revocation } from '../../../kernel/authorization/revocations.ts'
import { revokeAgain } from '../../../kernel/authorization/revoke-again.ts'
import { requireReviewed } from '../../../kernel/authorization/reviewed-proposal.ts'
import {
  overlapHours,
  proposalOf,
  requireCallerScopes,
  requireEnabled,
  withApproval,
  withSecret,
  type OAuthClient,
} from '../domain/oauth-client.ts'
import {
  redirectUrisOf,
  requireAuthentication,
  requireKeys,
  requireSameKind,
} from '../domain/client-app.ts'
import { readJwks } from './client-keys.ts'
import { clientDecision } from './client-decision.ts'
import { hashOf, newSecret, encryptSecret, type WithSecret } from './client-secret.ts'
import { effectiveRights, requireOwner, rightsOf } from './client-rights.ts'
import type { ClientEvent } from '../events.ts'
import { clientKind } from '../store/oauth-client.ts'

/** The requested changes to a client. Omitted fields stay as they are. */
export interface ClientChange {
  label?: string | null
  scopes?: readonly string[] | null
  actsFor?: readonly string[] | null
  redirectUris?: readonly string[] | null
  logoUri?: string | null
  backchannelLogoutUri?: string | null
}

/**
 * Rotates the secret of a client. The caller must own the client and have all its scopes.
 * Throws SEGREGATION_OF_DUTIES for callers who do not own the client, and whatever `change`,
 * `requireAll` and `withSecret` throw.
 */
export function rotateSecret(
  context: Context,
  input: { clientId: string; overlapHours?: number | null },
): Promise<WithSecret> {
  return change(context, 'rotateOAuthClientSecret', input, 'secret-rotated', async (before) => {
    requireCallerScopes(before.scopes, context.caller.scopes)
    await requireOwner(context, before)
    const secret = newSecret()
    const hours = input.overlapHours ?? overlapHours.fallback
    const client = withSecret(before, hashOf(secret), hours, realNow())
    const encryptedSecret = encryptSecret(context, client, secret)
    return { client, result: (after) => ({ client: after, encrypted: encryptedSecret }) }
  })
}

/**
 * Replaces the public keys of a client. The caller must own the client and have all its scopes.
 * Throws SEGREGATION_OF_DUTIES for callers who do not own the client, STATE_CONFLICT for a client
 * without keys, and whatever `change`, `requireAll` and `readJwks` throw.
 */
export function replaceKeys(
  context: Context,
  input: { clientId: string; jwks: object },
): Promise<OAuthClient> {
  return change(context, 'replaceOAuthClientKeys', input, 'keys-replaced', async (before) => {
    requireEnabled(before)
    requireKeys(before)
    requireCallerScopes(before.scopes, context.caller.scopes)
    await requireOwner(context, before)
    const client = { ...before, jwks: readJwks(input.jwks, before.authentication) }
    return { client, result: returnClient, shouldRevokeTokens: true }
  })
}

/**
 * Changes the label, the addresses or the rights of a client. In live, whatever is not only removed
 * takes effect after a second person approves it. Removing a scope revokes the tokens of the client.
 * Throws STATE_CONFLICT if the client is disabled, and whatever `change` and `rightsOf` throw.
 */
export function changeClient(
  context: Context,
  input: ClientChange & { clientId: string },
): Promise<OAuthClient> {
  return change(context, 'changeOAuthClient', input, 'changed', async (before) => {
    requireEnabled(before)
    const redirectUris = redirectUrisOf(before)
    requireSameKind(redirectUris, input.redirectUris)
    const requested = await rightsOf(context, input, { ...before, redirectUris })
    // Without the people who log in, a public client would act for itself without authentication.
    if (requested.scopes.length > 0) {
      requireAuthentication(before.authentication, { ...before, ...requested })
    }
    const rights = effectiveRights(context, before, requested)
    const client = { ...before, ...rights }
    const shouldRevokeTokens = before.scopes.some((scope) => !rights.scopes.includes(scope))
    const eventName = rights.proposal ? 'proposed' : 'changed'
    return { client, result: returnClient, shouldRevokeTokens, eventName }
  })
}

/**
 * Approves the proposed rights of a client: those that were proposed at `proposedAt`, or null for
 * whatever is proposed now. Throws SEGREGATION_OF_DUTIES, and whatever `change`, `withApproval` and
 * `requireReviewed` throw.
 */
export function approveClient(
  context: Context,
  { clientId, proposedAt: reviewed }: { clientId: string; proposedAt: Date | null },
): Promise<OAuthClient> {
  const input = { clientId, ...(reviewed && { proposedAt: reviewed }) }
  return change(context, 'approveOAuthClient', input, 'approved', async (before) => {
    const client = withApproval(before, context.caller.scopes)
    const detail = 'The person who proposed the rights of a client cannot approve them.'
    const { proposedBy, proposedAt } = proposalOf(before)
    requireReviewed(new Date(proposedAt), reviewed, clientId)
    await requireAnotherPerson(context, [proposedBy], { resourceId: clientId, detail })
    const shouldRevokeTokens = before.scopes.some((scope) => !client.scopes.includes(scope))
    return { client, result: returnClient, shouldRevokeTokens }
  })
}

/**
 * Discards the proposed rights of a client. Throws STATE_CONFLICT if there are none, and whatever
 * `change` throws.
 */
export function rejectClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'rejectOAuthClient', { clientId }, 'rejected', (before) => {
    proposalOf(before)
    return { client: { ...before, proposal: null }, result: returnClient }
  })
}

/** Disables a client and revokes its tokens. Throws what `change` throws. */
export function disableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'disableOAuthClient', { clientId }, 'disabled', (before) => {
    const disabledAt = before.disabledAt ?? context.now()
    const client = { ...before, disabledAt }
    return { client, result: returnClient, shouldRevokeTokens: true }
  })
}

/**
 * Enables a disabled client, which keeps its secrets. Throws what `change` and `requireAll` throw.
 */
export function enableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'enableOAuthClient', { clientId }, 'enabled', (before) => {
    requireCallerScopes(before.scopes, context.caller.scopes)
    return { client: { ...before, disabledAt: null }, result: returnClient }
  })
}

interface ClientUpdate<Result> {
  client: OAuthClient
  result: (after: OAuthClient) => Result
  /** Whether the change revokes the tokens of the client. */
  shouldRevokeTokens?: boolean
  /** The last part of the event type; if omitted, the default of the operation. */
  eventName?: ClientEventName
}

type ClientEventName = ClientEvent extends `operations.oauth-client.${infer Name}` ? Name : never

const returnClient = (client: OAuthClient) => client

/**
 * Changes one client. Throws NOT_FOR_DELEGATED_USERS, OAUTH_CLIENT_NOT_FOUND, and whatever `decide`
 * throws.
 */
async function change<Result>(
  context: Context,
  operation: string,
  input: { clientId: string },
  defaultEventName: ClientEventName,
  decide: (before: OAuthClient) => ClientUpdate<Result> | Promise<ClientUpdate<Result>>,
): Promise<Result> {
  requireBank(context)
  const { clientId } = input
  let areTokensRevoked = false
  const result = await command(context, operation, input, async () => {
    const found = await clientKind.find(context, clientId)
    const before = requireVisible(
      context,
      found,
      clientKind.ownersOf,
      clientKind.notFound,
      clientId,
    )
    const update = await decide(before)
    const { client, result: toResult, shouldRevokeTokens = false } = update
    const { eventName = defaultEventName } = update
    const after = { ...client, version: before.version + 1, updatedAt: context.now() }
    const writes = [clientKind.update(before, after)]
    if (shouldRevokeTokens) writes.push(insertRevocation(revocation('client', clientId)))
    areTokensRevoked = shouldRevokeTokens
    return clientDecision(after, `operations.oauth-client.${eventName}`, toResult(after), writes)
  })
  if (areTokensRevoked && !context.outcome.isReplayed)
    await revokeAgain(context, 'client', clientId)
  await context.bank.revocations.refresh()
  return result
}
