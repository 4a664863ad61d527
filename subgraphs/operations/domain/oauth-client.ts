import { addMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

/** A program that may call the bank, in its own name or for nobody: client credentials (RFC 6749, 4.4). */
export interface OAuthClient extends Versioned {
  clientId: string
  label: string
  scopes: string[]
  /** Who is answerable for it: whoever registered it, or the owner of the client that did. */
  owner: string
  /** People whose decisions it may record. */
  actsFor: string[]
  /** What waits for a second person. */
  proposal: ClientProposal | null
  /** SHA-256, base64url; the secret itself is known to its owner alone. */
  secretHash: string
  /** The secret before it, good until then. */
  formerHash: string | null
  formerUntil: Date | null
  disabledAt: Date | null
}

/** Rights that a second person has to approve before the client has them. */
export interface ClientProposal {
  scopes: string[]
  actsFor: string[]
  proposedBy: string
  proposedAt: string
}

/** What a client may do. */
export type ClientRights = Pick<OAuthClient, 'scopes' | 'actsFor'>

/** Whether these rights contain more than the client has. */
export function isMore({ scopes, actsFor }: ClientRights, before: ClientRights): boolean {
  return (
    scopes.some((scope) => !before.scopes.includes(scope)) ||
    actsFor.some((person) => !before.actsFor.includes(person))
  )
}

/**
 * Puts the proposed rights in force. Who approves has the scopes. Rejects with STATE_CONFLICT when
 * nothing was proposed, and as `requireEnabled` and `requireAll` do.
 */
export function withApproval(client: OAuthClient, own: ReadonlySet<string>): OAuthClient {
  const { scopes, actsFor } = proposalOf(client)
  requireEnabled(client)
  requireAll(scopes, own)
  return { ...client, scopes, actsFor, proposal: null }
}

/** What waits for a second person. Rejects with STATE_CONFLICT when nothing does. */
export function proposalOf({ clientId, proposal }: OAuthClient): ClientProposal {
  if (proposal) return proposal
  const detail = `Nothing is proposed for ${clientId}.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/** Promises that nobody is named who is no person of their own. Rejects with NAME_TAKEN, VALIDATION_FAILED. */
export function requirePeople(actsFor: readonly string[], clients: readonly string[]): void {
  const at = actsFor.findIndex((person) => clients.includes(person))
  if (at >= 0) throw nameTaken(`/actsFor/${at}`, `${actsFor[at]} is a client, not a person.`)
  if (actsFor.length <= maxActsFor) return
  const detail = `A client acts for at most ${maxActsFor} people.`
  const errors = [{ pointer: '/actsFor', code: 'VALIDATION_FAILED', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/** The problem of a client and a person that would have one name. */
export function nameTaken(pointer: string, detail: string): Problem {
  return new Problem('NAME_TAKEN', { detail, errors: [{ pointer, code: 'NAME_TAKEN', detail }] })
}

const maxActsFor = 200

/** How long the secret before stays good, in hours. */
export const overlapHours = { least: 0, fallback: 24, most: 168 }

/** Names of the environment's own clients, which are not registered. */
const reserved = /^bankgraph\b/i

/** Promises that the id is not one of the environment's own. Refuses with RESOURCE_EXISTS. */
export function requireFreeId(clientId: string): void {
  if (reserved.test(clientId)) throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
}

/**
 * The scopes in the order in which the bank knows them, each once: at least one, and none that whoever
 * gives them does not have. Refuses with VALIDATION_FAILED, INSUFFICIENT_SCOPE.
 */
export function readScopes(
  asked: readonly string[],
  known: readonly string[],
  own: ReadonlySet<string>,
): string[] {
  const unknown = asked.findIndex((scope) => !known.includes(scope))
  if (unknown >= 0 || asked.length === 0) {
    const detail = unknown >= 0 ? `There is no scope ${asked[unknown]}.` : 'One at least.'
    const pointer = unknown >= 0 ? `/scopes/${unknown}` : '/scopes'
    const errors = [{ pointer, code: 'VALIDATION_FAILED', detail, allowed: known }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const scopes = known.filter((scope) => asked.includes(scope))
  requireAll(scopes, own)
  return scopes
}

/** Promises that who gives these scopes, or the way to them, has them. Refuses with INSUFFICIENT_SCOPE. */
export function requireAll(scopes: readonly string[], own: ReadonlySet<string>): void {
  const missing = scopes.find((scope) => !own.has(scope))
  if (missing === undefined) return
  const detail = `Who gives the scope ${missing} has it.`
  throw new Problem('INSUFFICIENT_SCOPE', { detail, scope: missing })
}

/** Gives a client a new secret; the one before stays good for so many hours. Refuses with VALIDATION_FAILED, STATE_CONFLICT. */
export function withSecret(
  client: OAuthClient,
  secretHash: string,
  hours: number,
  now: Date,
): OAuthClient {
  requireEnabled(client)
  const { least, most } = overlapHours
  if (hours < least || hours > most) {
    const detail = `From ${least} to ${most} hours.`
    const errors = [{ pointer: '/overlapHours', code: 'VALIDATION_FAILED', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const isKept = hours > 0
  return {
    ...client,
    secretHash,
    formerHash: isKept ? client.secretHash : null,
    formerUntil: isKept ? addMs(now, hours * 60 * minuteMs) : null,
  }
}

/** Promises that the client is not disabled. Refuses with STATE_CONFLICT. */
export function requireEnabled({ clientId, disabledAt }: OAuthClient): void {
  if (disabledAt === null) return
  const detail = `${clientId} is disabled.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/** What the authorization server asks of a client. Without any right in force, it gets no token. */
export function factOf({ label, scopes, disabledAt, ...client }: OAuthClient) {
  const { secretHash, formerHash, formerUntil } = client
  const isDisabled = disabledAt !== null || scopes.length === 0
  return { label, scopes, isDisabled, secretHash, formerHash, formerUntil }
}
