import type { ClientProposal } from '../model/oauth-client.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import type { ClientAuthentication } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

/**
 * A registered OAuth client. A client with redirect URIs is an app, which acts for the customers who
 * log in (authorization code with PKCE). Any other client acts for itself (client credentials,
 * RFC 6749, section 4.4).
 */
export interface OAuthClient extends Versioned {
  clientId: string
  label: string
  scopes: readonly string[]
  /**
   * The accountable person or client: the one who registered the client, or the owner of the client
   * that did.
   */
  owner: string
  /** The people whose decisions the client may record. */
  actsFor: readonly string[]
  /** The rights that await approval by a second person; null if there are none. */
  proposal: ClientProposal | null
  /** Where the authorization server may send people back to, only in an app. */
  redirectUris: readonly string[]
  /** The URL of the logo for the consent page. */
  logoUri: string | null
  /** Where the app is notified that a person logged out (OpenID Connect Back-Channel Logout). */
  backchannelLogoutUri: string | null
  authentication: ClientAuthentication
  /** The public keys (RFC 7517) with which the client authenticates instead of a secret. */
  jwks: object | null
  /** Whether the tokens of the client must be bound to a key (DPoP). */
  isKeyBound: boolean
  /**
   * The SHA-256 of the secret in base64url; null for a client with keys and for a public client. The
   * secret itself is not stored.
   */
  secretHash: string | null
  /** The hash of the previous secret, which is valid until `formerUntil`; null if there is none. */
  formerHash: string | null
  formerUntil: Date | null
  disabledAt: Date | null
}

/** The members of a client that, in live, change only with the approval of a second person. */
const rightLists = ['scopes', 'actsFor', 'redirectUris'] as const
const rightTexts = ['label', 'logoUri', 'backchannelLogoutUri'] as const

/**
 * What a client may do, by what people recognize it, and where it learns of people. With the label
 * and the logo of another app, people would consent to what they do not mean.
 */
export type ClientRights = Pick<
  OAuthClient,
  (typeof rightLists)[number] | (typeof rightTexts)[number]
>

/** Whether the rights include any that the client does not have. */
export function hasAdditionalRights(rights: ClientRights, before: ClientRights): boolean {
  return (
    rightLists.some((name) => rights[name].some((right) => !before[name].includes(right))) ||
    rightTexts.some((name) => rights[name] !== before[name])
  )
}

/**
 * Approves the proposed rights. The approver must have all the proposed scopes.
 * Throws STATE_CONFLICT if there is no proposal, and whatever `requireEnabled` and `requireAll`
 * throw.
 */
export function withApproval(client: OAuthClient, callerScopes: ReadonlySet<string>): OAuthClient {
  const { scopes, actsFor, ...proposal } = proposalOf(client)
  requireEnabled(client)
  requireCallerScopes(scopes, callerScopes)
  return {
    ...client,
    scopes,
    actsFor,
    redirectUris: proposal.redirectUris ?? client.redirectUris,
    label: proposal.label ?? client.label,
    logoUri: proposal.logoUri ?? client.logoUri,
    backchannelLogoutUri: proposal.backchannelLogoutUri ?? client.backchannelLogoutUri,
    proposal: null,
  }
}

/** Returns the proposed rights of a client. Throws STATE_CONFLICT if there are none. */
export function proposalOf({ clientId, proposal }: OAuthClient): ClientProposal {
  if (proposal) return proposal
  const detail = `${clientId} has no proposed rights.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/**
 * Checks that none of the people has the name of a client. Throws NAME_TAKEN, and VALIDATION_FAILED
 * for more than 200 people.
 */
export function requirePeople(actsFor: readonly string[], clients: readonly string[]): void {
  const index = actsFor.findIndex((person) => clients.includes(person))
  if (index >= 0)
    throw nameTaken(`/actsFor/${index}`, `${actsFor[index]} is a client, not a person.`)
  if (actsFor.length <= maxActsFor) return
  const detail = `A client can act for at most ${maxActsFor} people.`
  const errors = [{ pointer: '/actsFor', code: 'VALIDATION_FAILED', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/** Creates the problem for a client and a person with the same name. */
export function nameTaken(pointer: string, detail: string): Problem {
  return new Problem('NAME_TAKEN', { detail, errors: [{ pointer, code: 'NAME_TAKEN', detail }] })
}

const maxActsFor = 200

/** The bounds and the default of the time for which the previous secret stays valid, in hours. */
export const overlapHours = { least: 0, fallback: 24, max: 168 }

/** Matches the names of the environment's own clients, which are not registered. */
const reservedIdPattern = /^bankgraph\b/i

/** Checks that the ID is not reserved for the environment's own clients. Throws RESOURCE_EXISTS. */
export function requireFreeId(clientId: string): void {
  if (!reservedIdPattern.test(clientId)) return
  throw new Problem('RESOURCE_EXISTS', { resourceId: clientId })
}

/**
 * Returns the scopes in canonical order without duplicates. At least one is required, and the
 * caller must have all of them.
 * Throws VALIDATION_FAILED, INSUFFICIENT_SCOPE.
 */
export function readScopes(
  request: readonly string[],
  knownScopes: readonly string[],
  callerScopes: ReadonlySet<string>,
): string[] {
  const unknownIndex = request.findIndex((scope) => !knownScopes.includes(scope))
  if (unknownIndex >= 0 || request.length === 0) {
    const detail =
      unknownIndex >= 0
        ? `The scope ${request[unknownIndex]} does not exist.`
        : 'A client must have at least one scope.'
    const pointer = unknownIndex >= 0 ? `/scopes/${unknownIndex}` : '/scopes'
    const errors = [{ pointer, code: 'VALIDATION_FAILED', detail, allowed: knownScopes }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const scopes = knownScopes.filter((scope) => request.includes(scope))
  requireCallerScopes(scopes, callerScopes)
  return scopes
}

/**
 * Checks that the caller has all scopes that it would grant or gain access to. Throws
 * INSUFFICIENT_SCOPE.
 */
export function requireCallerScopes(
  scopes: readonly string[],
  callerScopes: ReadonlySet<string>,
): void {
  const missing = scopes.find((scope) => !callerScopes.has(scope))
  if (missing === undefined) return
  const detail = `The caller does not have the scope ${missing} and cannot grant it.`
  throw new Problem('INSUFFICIENT_SCOPE', { detail, scope: missing })
}

/**
 * Rotates the secret. The previous secret stays valid for the number of hours `hours`.
 * Throws VALIDATION_FAILED, STATE_CONFLICT.
 */
export function withSecret(
  client: OAuthClient,
  secretHash: string,
  hours: number,
  now: Date,
): OAuthClient {
  requireEnabled(client)
  if (client.secretHash === null) {
    const detail = `${client.clientId} does not authenticate with a secret.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId: client.clientId })
  }
  const { least, max: maxHours } = overlapHours
  if (hours < least || hours > maxHours) {
    const detail = `The overlap must be from ${least} to ${maxHours} hours.`
    const errors = [{ pointer: '/overlapHours', code: 'VALIDATION_FAILED', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const isOverlapping = hours > 0
  return {
    ...client,
    secretHash,
    formerHash: isOverlapping ? client.secretHash : null,
    formerUntil: isOverlapping ? addMs(now, hours * 60 * minuteMs) : null,
  }
}

/** Checks that the client is not disabled. Throws STATE_CONFLICT. */
export function requireEnabled({ clientId, disabledAt }: OAuthClient): void {
  if (disabledAt === null) return
  const detail = `${clientId} is disabled. Enable it first.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/**
 * Returns the fact that the authorization server reads. A client without effective scopes gets no
 * token.
 */
export function factOf({ label, scopes, disabledAt, ...client }: OAuthClient) {
  const { secretHash, formerHash, formerUntil, jwks, isKeyBound } = client
  const { redirectUris, logoUri, backchannelLogoutUri } = client
  const isDisabled = disabledAt !== null || scopes.length === 0
  const app = { redirectUris, logoUri, backchannelLogoutUri }
  return {
    label,
    scopes,
    isDisabled,
    secretHash,
    formerHash,
    formerUntil,
    jwks,
    isKeyBound,
    ...app,
  }
}
