import { createHash, randomBytes } from 'node:crypto'
import { fingerprint } from '../_kernel/answer.ts'
import { requireBank, requireVisible } from '../_kernel/auth.ts'
import { realNow } from '../_kernel/clock.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { callerPrincipal, principalSubject, requireAnotherPerson } from '../_kernel/principals.ts'
import { publish, versioned } from '../_kernel/records.ts'
import { insertRevocation, revocation } from '../_kernel/revocations.ts'
import { bankContext } from '../_kernel/worker.ts'
import type { Write } from '../_kernel/writes.ts'
import {
  factOf,
  overlapHours,
  proposalOf,
  requireAll,
  requireEnabled,
  requireFreeId,
  withApproval,
  withSecret,
  type OAuthClient,
} from './domain/oauth-client.ts'
import { inForce, requireNobodysName, requireOwner, rightsOf } from './client-rights.ts'
import type { ClientEvent } from './events.ts'
import { clientKind } from './store/oauth-client.ts'

export interface ClientAsked {
  clientId?: string | null
  label: string
  scopes: readonly string[]
  actsFor?: readonly string[] | null
}

/** The changes to a client. */
export interface ClientChange {
  label?: string | null
  scopes?: readonly string[] | null
  actsFor?: readonly string[] | null
}

/** A client with its new secret, encrypted because the response is stored for idempotency. */
export interface WithSecret {
  client: OAuthClient
  sealed: string
}

/** 32 random bytes in base64url. */
const newSecret = () => randomBytes(32).toString('base64url')

/**
 * A single hash suffices for 32 random bytes; only secrets chosen by people need key stretching.
 */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

const placeOf = ({ clientId }: OAuthClient) => `oauth-client/${clientId}`

/** Decrypts the secret for the one response that contains it. */
export function openSecret({ bank }: Context, { client, sealed }: WithSecret): string {
  return bank.vault.open(sealed, placeOf(client))
}

/**
 * Registers an OAuth client with a new secret. In live, its rights take effect after a second
 * person approves them.
 * Rejects with NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, NAME_TAKEN, and as `readScopes` does.
 */
export function registerClient(context: Context, asked: ClientAsked): Promise<WithSecret> {
  requireBank(context)
  return command(context, 'registerOAuthClient', asked, async () => {
    const clientId = asked.clientId ?? context.newId('oauthClient')
    requireFreeId(clientId)
    if (await clientKind.find(context, clientId)) {
      throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
    }
    await requireNobodysName(context, clientId)
    const rights = await rightsOf(context, asked, { scopes: [], actsFor: [] })
    const contentHash = fingerprint('registerOAuthClient', asked)
    const secret = newSecret()
    const client: OAuthClient = {
      clientId,
      label: asked.label,
      owner: await callerPrincipal(context),
      ...inForce(context, { scopes: [], actsFor: [] }, rights),
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
 * Rotates the secret of a client. The caller must have all scopes of the client and own it. Rejects
 * as `change`, `requireAll` and `withSecret` do, and with SEGREGATION_OF_DUTIES for other callers.
 */
export function rotateSecret(
  context: Context,
  input: { clientId: string; overlapHours?: number | null },
): Promise<WithSecret> {
  return change(context, 'rotateOAuthClientSecret', input, 'secret-rotated', async (before) => {
    requireAll(before.scopes, context.caller.scopes)
    await requireOwner(context, before)
    const secret = newSecret()
    const hours = input.overlapHours ?? overlapHours.fallback
    const client = withSecret(before, hashOf(secret), hours, realNow())
    const sealed = context.bank.vault.seal(secret, placeOf(client))
    return { client, result: (after) => ({ client: after, sealed }) }
  })
}

/**
 * Changes the label or the rights of a client. In live, additional rights take effect after a
 * second person approves them. Removing a scope revokes the tokens of the client.
 * Rejects as `change` and `readScopes` do, with NAME_TAKEN, and with STATE_CONFLICT when it is
 * disabled.
 */
export function changeClient(
  context: Context,
  input: ClientChange & { clientId: string },
): Promise<OAuthClient> {
  return change(context, 'changeOAuthClient', input, 'changed', async (before) => {
    requireEnabled(before)
    const rights = inForce(context, before, await rightsOf(context, input, before))
    const client = { ...before, ...rights, label: input.label ?? before.label }
    const isLess = before.scopes.some((scope) => !rights.scopes.includes(scope))
    const fact = rights.proposal ? 'proposed' : 'changed'
    return { client, result: asItIs, isVoided: isLess, fact }
  })
}

/**
 * Approves the proposed rights of a client. Rejects as
 * `change` and `withApproval` do, and with SEGREGATION_OF_DUTIES.
 */
export function approveClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'approveOAuthClient', { clientId }, 'approved', async (before) => {
    const client = withApproval(before, context.caller.scopes)
    const detail = 'The person who proposed the rights of a client cannot approve them.'
    const { proposedBy } = proposalOf(before)
    await requireAnotherPerson(context, [proposedBy], { resourceId: clientId, detail })
    const isLess = before.scopes.some((scope) => !client.scopes.includes(scope))
    return { client, result: asItIs, isVoided: isLess }
  })
}

/** Discards the proposed rights of a client. Rejects as `change` does, and with STATE_CONFLICT. */
export function rejectClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'rejectOAuthClient', { clientId }, 'rejected', (before) => {
    proposalOf(before)
    return { client: { ...before, proposal: null }, result: asItIs }
  })
}

/** Disables a client and revokes its tokens. Rejects as `change` does. */
export function disableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'disableOAuthClient', { clientId }, 'disabled', (before) => {
    const disabledAt = before.disabledAt ?? context.now()
    return { client: { ...before, disabledAt }, result: asItIs, isVoided: true }
  })
}

/** Enables a client, which keeps its secrets. Rejects as `change` and `requireAll` do. */
export function enableClient(context: Context, clientId: string): Promise<OAuthClient> {
  return change(context, 'enableOAuthClient', { clientId }, 'enabled', (before) => {
    requireAll(before.scopes, context.caller.scopes)
    return { client: { ...before, disabledAt: null }, result: asItIs }
  })
}

interface Changed<Result> {
  client: OAuthClient
  result: (after: OAuthClient) => Result
  /** Whether the tokens of the client are revoked. */
  isVoided?: boolean
  /** The event, when it differs from the default of the operation. */
  fact?: ClientFact
}

type ClientFact = ClientEvent extends `operations.oauth-client.${infer Fact}` ? Fact : never

const asItIs = (client: OAuthClient) => client

/** Changes one client. Rejects with NOT_FOR_DELEGATED_USERS, OAUTH_CLIENT_NOT_FOUND. */
async function change<Result>(
  context: Context,
  operation: string,
  input: { clientId: string },
  usualFact: ClientFact,
  decide: (before: OAuthClient) => Changed<Result> | Promise<Changed<Result>>,
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
    const decision = await decide(before)
    const { client, result: answer, isVoided = false, fact = usualFact } = decision
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

/**
 * Revokes again after the commit: tokens may have been issued under the old rights while it was in
 * progress.
 */
function voidAgain({ bank }: Context, clientId: string): Promise<void> {
  return command(bankContext(bank), 'operations.void-tokens', { clientId }, async () => ({
    result: undefined,
    writes: [insertRevocation(revocation('client', clientId))],
  }))
}

/** The event contains no secret; the fact for the authorization server contains the hashes. */
function decided<Result>(
  client: OAuthClient,
  event: ClientEvent,
  result: Result,
  writes: Write[],
): Decision<Result> {
  const { events } = publish(clientKind, client, event)
  const { clientId, owner, actsFor } = client
  const facts = [
    { subject: `${clientKind.entity}/${clientId}`, data: factOf(client) },
    { subject: principalSubject(clientId), data: { owner, actsFor } },
  ]
  return { result, resourceId: client.clientId, writes, events, facts }
}
