import { addMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

/** A registered OAuth client that uses the client credentials grant (RFC 6749, section 4.4). */
export interface OAuthClient extends Versioned {
  clientId: string
  label: string
  scopes: string[]
  /**
   * The accountable person or client: whoever registered the client, or the owner of the client
   * that did.
   */
  owner: string
  /** The people whose decisions the client may record. */
  actsFor: string[]
  /** The rights that await approval by a second person. */
  proposal: ClientProposal | null
  /** SHA-256 in base64url; the secret itself is not stored. */
  secretHash: string
  /** The hash of the previous secret, valid until `formerUntil`. */
  formerHash: string | null
  formerUntil: Date | null
  disabledAt: Date | null
}

/** Rights that a second person must approve before they take effect. */
export interface ClientProposal {
  scopes: string[]
  actsFor: string[]
  proposedBy: string
  proposedAt: string
}

/** The rights of a client. */
export type ClientRights = Pick<OAuthClient, 'scopes' | 'actsFor'>

/** Whether the rights contain more than the client has. */
export function isMore({ scopes, actsFor }: ClientRights, before: ClientRights): boolean {
  return (
    scopes.some((scope) => !before.scopes.includes(scope)) ||
    actsFor.some((person) => !before.actsFor.includes(person))
  )
}

/**
 * Approves the proposed rights. The approver must have the scopes. Rejects with STATE_CONFLICT
 * without a proposal, and as `requireEnabled` and `requireAll` do.
 */
export function withApproval(client: OAuthClient, own: ReadonlySet<string>): OAuthClient {
  const { scopes, actsFor } = proposalOf(client)
  requireEnabled(client)
  requireAll(scopes, own)
  return { ...client, scopes, actsFor, proposal: null }
}

/** The proposed rights of a client. Rejects with STATE_CONFLICT when there are none. */
export function proposalOf({ clientId, proposal }: OAuthClient): ClientProposal {
  if (proposal) return proposal
  const detail = `${clientId} has no proposed rights.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/**
 * Checks that every name is that of a person, not of a client. Rejects with NAME_TAKEN,
 * VALIDATION_FAILED.
 */
export function requirePeople(actsFor: readonly string[], clients: readonly string[]): void {
  const at = actsFor.findIndex((person) => clients.includes(person))
  if (at >= 0) throw nameTaken(`/actsFor/${at}`, `${actsFor[at]} is a client, not a person.`)
  if (actsFor.length <= maxActsFor) return
  const detail = `A client can act for at most ${maxActsFor} people.`
  const errors = [{ pointer: '/actsFor', code: 'VALIDATION_FAILED', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/** The problem of a client and a person with the same name. */
export function nameTaken(pointer: string, detail: string): Problem {
  return new Problem('NAME_TAKEN', { detail, errors: [{ pointer, code: 'NAME_TAKEN', detail }] })
}

const maxActsFor = 200

/** The bounds and the default of the overlap of two secrets, in hours. */
export const overlapHours = { least: 0, fallback: 24, most: 168 }

/** Names of the environment's own clients, which are not registered. */
const reserved = /^bankgraph\b/i

/** Checks that the id is not one of the environment's own. Rejects with RESOURCE_EXISTS. */
export function requireFreeId(clientId: string): void {
  if (reserved.test(clientId)) throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
}

/**
 * The scopes in canonical order without duplicates. At least one is required, and the caller must
 * have all of them. Rejects with VALIDATION_FAILED, INSUFFICIENT_SCOPE.
 */
export function readScopes(
  asked: readonly string[],
  known: readonly string[],
  own: ReadonlySet<string>,
): string[] {
  const unknown = asked.findIndex((scope) => !known.includes(scope))
  if (unknown >= 0 || asked.length === 0) {
    const detail =
      unknown >= 0
        ? `The scope ${asked[unknown]} does not exist.`
        : 'A client must have at least one scope.'
    const pointer = unknown >= 0 ? `/scopes/${unknown}` : '/scopes'
    const errors = [{ pointer, code: 'VALIDATION_FAILED', detail, allowed: known }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const scopes = known.filter((scope) => asked.includes(scope))
  requireAll(scopes, own)
  return scopes
}

/**
 * Checks that the caller has all the scopes that it grants or gains access to. Rejects with
 * INSUFFICIENT_SCOPE.
 */
export function requireAll(scopes: readonly string[], own: ReadonlySet<string>): void {
  const missing = scopes.find((scope) => !own.has(scope))
  if (missing === undefined) return
  const detail = `The caller does not have the scope ${missing} and cannot grant it.`
  throw new Problem('INSUFFICIENT_SCOPE', { detail, scope: missing })
}

/**
 * Rotates the secret; the previous one remains valid for the given hours. Rejects with
 * VALIDATION_FAILED, STATE_CONFLICT.
 */
export function withSecret(
  client: OAuthClient,
  secretHash: string,
  hours: number,
  now: Date,
): OAuthClient {
  requireEnabled(client)
  const { least, most } = overlapHours
  if (hours < least || hours > most) {
    const detail = `The overlap must be from ${least} to ${most} hours.`
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

/** Checks that the client is not disabled. Rejects with STATE_CONFLICT. */
export function requireEnabled({ clientId, disabledAt }: OAuthClient): void {
  if (disabledAt === null) return
  const detail = `${clientId} is disabled. Enable it first.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/** The fact read by the authorization server. A client without effective scopes gets no token. */
export function factOf({ label, scopes, disabledAt, ...client }: OAuthClient) {
  const { secretHash, formerHash, formerUntil } = client
  const isDisabled = disabledAt !== null || scopes.length === 0
  return { label, scopes, isDisabled, secretHash, formerHash, formerUntil }
}
