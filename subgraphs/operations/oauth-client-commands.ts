import { createHash, randomBytes } from 'node:crypto'
import { fingerprint } from '../_kernel/answer.ts'
import { requireBank, requireVisible } from '../_kernel/auth.ts'
import { realNow } from '../_kernel/clock.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { publish, versioned } from '../_kernel/records.ts'
import { insertRevocation, revocation } from '../_kernel/revocations.ts'
import { everyScope } from '../_kernel/scopes.ts'
import { bankContext } from '../_kernel/worker.ts'
import type { Write } from '../_kernel/writes.ts'
import {
  factOf,
  overlapHours,
  readScopes,
  requireAll,
  requireEnabled,
  requireFreeId,
  withSecret,
  type OAuthClient,
} from './domain/oauth-client.ts'
import type { ClientEvent } from './events.ts'
import { clientKind } from './store/oauth-client.ts'

export interface ClientAsked {
  clientId?: string | null
  label: string
  scopes: readonly string[]
}

/** A client with the secret that was made for it just now, sealed: the answer may be remembered. */
export interface WithSecret {
  client: OAuthClient
  sealed: string
}

/** 32 random bytes as text. */
const newSecret = () => randomBytes(32).toString('base64url')

/** One round is enough for 32 random bytes; only secrets that people choose need more. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

const placeOf = ({ clientId }: OAuthClient) => `oauth-client/${clientId}`

/** The secret itself, for the one answer that shows it. */
export function openSecret({ bank }: Context, { client, sealed }: WithSecret): string {
  return bank.vault.open(sealed, placeOf(client))
}

/**
 * Registers a program that may call the bank, with a secret of its own.
 * Refuses with NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, and as `readScopes` does.
 */
export function registerClient(context: Context, asked: ClientAsked): Promise<WithSecret> {
  requireBank(context)
  return command(context, 'registerOAuthClient', asked, async () => {
    const clientId = asked.clientId ?? context.newId('oauthClient')
    requireFreeId(clientId)
    if (await clientKind.find(context, clientId)) {
      throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
    }
    const contentHash = fingerprint('registerOAuthClient', asked)
    const secret = newSecret()
    const client: OAuthClient = {
      clientId,
      label: asked.label,
      scopes: readScopes(asked.scopes, everyScope, context.caller.scopes),
      secretHash: hashOf(secret),
      formerHash: null,
      formerUntil: null,
      disabledAt: null,
      ...versioned({ id: clientId, contentHash, now: context.now() }),
    }
    const result = { client, sealed: context.bank.vault.seal(secret, placeOf(client)) }
    return decided(client, clientKind.created, result, [clientKind.insert(client)])
  })
}

/**
 * Gives a client a new secret: whoever asks has all that it opens. Refuses as `change`, `requireAll`
 * and `withSecret` do.
 */
export function rotateSecret(
  context: Context,
  input: { clientId: string; overlapHours?: number | null },
): Promise<WithSecret> {
  return change(context, 'rotateOAuthClientSecret', input, 'secret-rotated', (before) => {
    requireAll(before.scopes, context.caller.scopes)
    const secret = newSecret()
    const hours = input.overlapHours ?? overlapHours.fallback
    const client = withSecret(before, hashOf(secret), hours, realNow())
    const sealed = context.bank.vault.seal(secret, placeOf(client))
    return { client, result: (after) => ({ client: after, sealed }) }
  })
}

/**
 * Names a client anew, or says what else it may do. Who may do less has its tokens voided.
 * Refuses as `change` and `readScopes` do, and with STATE_CONFLICT when it is disabled.
 */
export function changeClient(
  context: Context,
  input: { clientId: string; label?: string | null; scopes?: readonly string[] | null },
): Promise<OAuthClient> {
  return change(context, 'changeOAuthClient', input, 'changed', (before) => {
    requireEnabled(before)
    const { label, scopes: asked } = input
    const scopes = asked ? readScopes(asked, everyScope, context.caller.scopes) : before.scopes
    const client = { ...before, label: label ?? before.label, scopes }
    const isLess = before.scopes.some((scope) => !scopes.includes(scope))
    return { client, result: asItIs, isVoided: isLess }
  })
}

/** Ends what a client may do, at once: its tokens are void. Refuses as `change` does. */
export function disableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'disableOAuthClient', { clientId }, 'disabled', (before) => {
    const disabledAt = before.disabledAt ?? context.now()
    return { client: { ...before, disabledAt }, result: asItIs, isVoided: true }
  })
}

/** Lets a client in again, with the secrets it had. Refuses as `change` and `requireAll` do. */
export function enableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'enableOAuthClient', { clientId }, 'enabled', (before) => {
    requireAll(before.scopes, context.caller.scopes)
    return { client: { ...before, disabledAt: null }, result: asItIs }
  })
}

interface Changed<Result> {
  client: OAuthClient
  result: (after: OAuthClient) => Result
  /** Whether its tokens are void from now on. */
  isVoided?: boolean
}

const asItIs = (client: OAuthClient) => client

/** Refuses with NOT_FOR_DELEGATED_USERS, OAUTH_CLIENT_NOT_FOUND. */
async function change<Result>(
  context: Context,
  operation: string,
  input: { clientId: string },
  fact: 'changed' | 'secret-rotated' | 'disabled' | 'enabled',
  decide: (before: OAuthClient) => Changed<Result>,
): Promise<Result> {
  requireBank(context)
  const { clientId } = input
  let isLess = false
  const result = await command(context, operation, input, async () => {
    const found = await clientKind.find(context, clientId)
    const before = requireVisible(
      context,
      found,
      clientKind.ownersOf,
      clientKind.notFound,
      clientId,
    )
    const { client, result: answer, isVoided = false } = decide(before)
    const after = { ...client, version: before.version + 1, updatedAt: context.now() }
    const writes = [clientKind.update(before, after)]
    if (isVoided) writes.push(insertRevocation(revocation('client', clientId)))
    isLess = isVoided
    return decided(after, `operations.oauth-client.${fact}`, answer(after), writes)
  })
  if (isLess && !context.outcome.isReplayed) await voidAgain(context, clientId)
  await context.bank.revocations.refresh()
  return result
}

/** While the commit waited, a token could still be had by what the client was before: it is void as well. */
function voidAgain({ bank }: Context, clientId: string): Promise<void> {
  return command(bankContext(bank), 'operations.void-tokens', { clientId }, async () => ({
    result: undefined,
    writes: [insertRevocation(revocation('client', clientId))],
  }))
}

/** What is told of a client has no secret in it; what is published for the authorization server has the hashes. */
function decided<Result>(
  client: OAuthClient,
  event: ClientEvent,
  result: Result,
  writes: Write[],
): Decision<Result> {
  const { events } = publish(clientKind, client, event)
  const facts = [{ subject: `${clientKind.entity}/${client.clientId}`, data: factOf(client) }]
  return { result, resourceId: client.clientId, writes, events, facts }
}
