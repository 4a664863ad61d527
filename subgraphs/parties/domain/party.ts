import type { ContactPoint, Party } from '../model/party.ts'
import type { ContactChannel, PartyKind } from '../model/enumerations.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import {
  validationProblem,
  isSameContact,
  maxContactPoints,
  parseLanguage,
  requireAddress,
  requireQuietHours,
  requireTimeZone,
} from './contact.ts'
import { requireName, type PartyName } from './party-name.ts'

export interface NewParty extends Partial<PartyName> {
  kind: PartyKind
  dateOfBirth?: LocalDate | null
  language?: string | null
  timeZone?: string | null
  contactPoints?: readonly ContactPoint[] | null
}

/**
 * Creates an active party without opt-outs. Throws VALIDATION_FAILED for a name or date of birth
 * that does not match the kind of party, a date of birth in the future, an invalid or duplicate
 * address, an invalid language or time zone, and more than 50 addresses.
 */
export function newParty(
  request: NewParty,
  stamp: { partyId: string; contentHash: string; now: Date },
): Party {
  const { kind, dateOfBirth = null, contactPoints } = request
  const timeZone = request.timeZone ?? 'UTC'
  requireTimeZone(timeZone, '/timeZone')
  if (dateOfBirth !== null) requireBirth(kind, dateOfBirth, dateOf(stamp.now))
  const { now, ...identity } = stamp
  const party: Party = {
    ...identity,
    ...requireName(kind, request),
    kind,
    status: 'active',
    dateOfBirth,
    diedOn: null,
    deathRecordedAt: null,
    language: parseLanguage(request.language ?? 'en'),
    timeZone,
    contactPoints: [],
    marketingOptOut: false,
    marketingOptOutChannels: [],
    suppressedChannels: [],
    quietHours: null,
    restrictedAt: null,
    restrictionReason: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return (contactPoints ?? []).reduce(
    (current, point, index) => withContactPoint(current, point, `/contactPoints/${index}`),
    party,
  )
}

function requireBirth(kind: PartyKind, dateOfBirth: LocalDate, today: LocalDate): void {
  const birthProblem = (detail: string) =>
    validationProblem('/dateOfBirth', 'DATE_OF_BIRTH_INVALID', detail)
  if (kind !== 'person') throw birthProblem('An organization must not have a date of birth.')
  if (dateOfBirth > today) throw birthProblem('The date of birth must not be in the future.')
}

/** Returns the full name of a person, or the name of an organization. */
export function displayName({ givenName, familyName, organizationName }: PartyName): string {
  return organizationName ?? [givenName, familyName].filter((part) => part !== null).join(' ')
}

export interface PartyChanges extends Partial<PartyName> {
  language?: string | null
  timeZone?: string | null
}

/**
 * Changes the properties that the request contains. Throws VALIDATION_FAILED for an invalid name,
 * language or time zone, and STATE_CONFLICT if the party is closed.
 */
export function changeParty(party: Party, request: PartyChanges): Party {
  requireOpen(party)
  const timeZone = request.timeZone ?? party.timeZone
  requireTimeZone(timeZone, '/timeZone')
  return {
    ...party,
    ...requireName(party.kind, {
      givenName: request.givenName ?? party.givenName,
      familyName: request.familyName ?? party.familyName,
      organizationName: request.organizationName ?? party.organizationName,
    }),
    language: request.language ? parseLanguage(request.language) : party.language,
    timeZone,
  }
}

/**
 * Adds an address. `pointer` is the JSON pointer of the address in the request. Throws
 * VALIDATION_FAILED for an invalid or duplicate address and for more than 50 addresses, and
 * STATE_CONFLICT if the party is closed.
 */
export function withContactPoint(party: Party, point: ContactPoint, pointer = ''): Party {
  requireOpen(party)
  requireAddress(point.channel, point.address, `${pointer}/address`)
  if (party.contactPoints.some((other) => isSameContact(other, point))) {
    throw validationProblem(
      `${pointer}/address`,
      'ADDRESS_TWICE',
      'The party already has this address.',
    )
  }
  if (party.contactPoints.length >= maxContactPoints) {
    const detail = `A party can have at most ${maxContactPoints} contact points.`
    throw validationProblem(pointer, 'TOO_MANY', detail)
  }
  const { channel, address, verified } = point
  return { ...party, contactPoints: [...party.contactPoints, { channel, address, verified }] }
}

type Address = Pick<ContactPoint, 'channel' | 'address'>

/** Marks an address as verified. Throws CONTACT_POINT_NOT_FOUND, STATE_CONFLICT. */
export function verifyContactPoint(party: Party, address: Address): Party {
  requireOpen(party)
  const found = requireContactPoint(party, address)
  if (found.verified) return party
  const verifiedPoint = { ...found, verified: true }
  return {
    ...party,
    contactPoints: party.contactPoints.map((point) => (point === found ? verifiedPoint : point)),
  }
}

export function withoutContactPoint(party: Party, address: Address): Party {
  requireOpen(party)
  const found = requireContactPoint(party, address)
  return { ...party, contactPoints: party.contactPoints.filter((point) => point !== found) }
}

function requireContactPoint(party: Party, address: Address): ContactPoint {
  const found = party.contactPoints.find((point) => isSameContact(point, address))
  if (found) return found
  throw new Problem('CONTACT_POINT_NOT_FOUND', { resourceId: party.partyId })
}

export interface ConsentChanges {
  marketingOptOut?: boolean | null
  marketingOptOutChannels?: readonly ContactChannel[] | null
  suppressedChannels?: readonly ContactChannel[] | null
  /** The quiet hours. `zone` defaults to the time zone of the party. */
  quietHours?: { from: string; to: string; zone?: string | null } | null
  removeQuietHours?: boolean | null
}

/**
 * Changes the preferences that the request contains. Throws VALIDATION_FAILED for quiet hours that
 * are invalid or both set and removed, and STATE_CONFLICT if the party is closed.
 */
export function changeConsent(party: Party, request: ConsentChanges): Party {
  requireOpen(party)
  if (request.quietHours && request.removeQuietHours) {
    throw validationProblem(
      '/removeQuietHours',
      'CONTRADICTION',
      'Quiet hours cannot be set and removed in the same request.',
    )
  }
  const quietHours = request.quietHours && {
    from: request.quietHours.from,
    to: request.quietHours.to,
    zone: request.quietHours.zone ?? party.timeZone,
  }
  if (quietHours) requireQuietHours(quietHours)
  return {
    ...party,
    marketingOptOut: request.marketingOptOut ?? party.marketingOptOut,
    marketingOptOutChannels: withoutDuplicates(
      request.marketingOptOutChannels ?? party.marketingOptOutChannels,
    ),
    suppressedChannels: withoutDuplicates(request.suppressedChannels ?? party.suppressedChannels),
    quietHours: request.removeQuietHours ? null : (quietHours ?? party.quietHours),
  }
}

const withoutDuplicates = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/**
 * Checks that a death can be recorded. Throws VALIDATION_FAILED if the party is an organization, or
 * if the date is in the future or before the date of birth.
 */
export function requireDateOfDeath(
  { kind, dateOfBirth }: Party,
  diedOn: LocalDate,
  today: LocalDate,
) {
  if (kind !== 'person') {
    throw validationProblem(
      '/partyId',
      'NOT_A_PERSON',
      'A death can be recorded only for a person, not for an organization.',
    )
  }
  if (diedOn > today || (dateOfBirth !== null && diedOn < dateOfBirth)) {
    throw validationProblem(
      '/diedOn',
      'DATE_OF_DEATH_INVALID',
      `The date of death must be between the date of birth and ${today}.`,
    )
  }
}

/** Restricts processing to storage. A party that is already restricted is returned unchanged. */
export function restrict(party: Party, reason: string, now: Date): Party {
  if (party.restrictedAt !== null) return party
  return { ...party, restrictedAt: now, restrictionReason: reason }
}

/** Lifts the restriction. A party that is not restricted is returned unchanged. */
export function liftRestriction(party: Party): Party {
  if (party.restrictedAt === null) return party
  return { ...party, restrictedAt: null, restrictionReason: null }
}

function requireOpen({ status, partyId }: Party): void {
  if (status !== 'closed') return
  throw new Problem('STATE_CONFLICT', {
    detail: `${partyId} is closed and can no longer be changed.`,
    resourceId: partyId,
    currentState: status,
    allowedStates: ['active', 'deceased'],
  })
}

/** Checks that new business can be done with the party. Throws PARTY_NOT_ACTIVE. */
export function requireActive({ status, partyId }: Party): void {
  if (status === 'active') return
  throw new Problem('PARTY_NOT_ACTIVE', {
    detail: `${partyId} is ${status}.`,
    resourceId: partyId,
    currentState: status,
    errors: [{ pointer: '/partyId', code: 'PARTY_NOT_ACTIVE', detail: `The party is ${status}.` }],
  })
}

/**
 * Returns the preferred address of a party on each channel: the first verified address, otherwise
 * the first address. An active party always has its secure-message inbox.
 */
export function preferredContactPoints(party: Party): ContactPoint[] {
  const inbox: ContactPoint = { channel: 'secure-message', address: party.partyId, verified: true }
  const points = [...party.contactPoints, ...(party.status === 'active' ? [inbox] : [])]
  points.sort((one, other) => Number(other.verified) - Number(one.verified))
  const preferred = new Map<ContactChannel, ContactPoint>()
  for (const point of points) if (!preferred.has(point.channel)) preferred.set(point.channel, point)
  return [...preferred.values()]
}
