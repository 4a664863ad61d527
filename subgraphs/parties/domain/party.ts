import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import {
  invalid,
  isSameContact,
  mostContactPoints,
  parseLanguage,
  requireAddress,
  requireQuietHours,
  requireTimeZone,
  type ContactChannel,
  type ContactPoint,
  type QuietHours,
} from './contact.ts'
import { requireName, type PartyKind, type PartyName } from './party-name.ts'
import { requireSettled } from './settled.ts'

export const partyStatuses = ['active', 'deceased', 'closed'] as const
export type PartyStatus = (typeof partyStatuses)[number]

/** Death and closure cannot be undone; a mistake is corrected by creating a new party. */
export const partyMoves: Transitions<PartyStatus> = {
  active: ['deceased', 'closed'],
  deceased: ['closed'],
  closed: [],
}

/** The communication preferences of a party. */
export interface Consent {
  /** Opted out of marketing on every channel. */
  marketingOptOut: boolean
  /** The channels on which the party has opted out of marketing. */
  marketingOptOutChannels: ContactChannel[]
  /** The channels on which nothing may be sent, whatever its purpose. */
  suppressedChannels: ContactChannel[]
  quietHours: QuietHours | null
}

/** A person or an organization with which the bank deals. */
export interface Party extends PartyName, Consent {
  partyId: string
  kind: PartyKind
  status: PartyStatus
  dateOfBirth: LocalDate | null
  diedOn: LocalDate | null
  /** When the death was recorded. */
  deathRecordedAt: Date | null
  language: string
  timeZone: string
  contactPoints: ContactPoint[]
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface NewParty extends Partial<PartyName> {
  kind: PartyKind
  dateOfBirth?: LocalDate | null
  language?: string | null
  timeZone?: string | null
  contactPoints?: readonly ContactPoint[] | null
}

/**
 * A new active party without opt-outs.
 * Rejects with VALIDATION_FAILED a name that does not fit the kind, a date of birth in the future,
 * an invalid address, language or time zone, and a duplicate address.
 */
export function newParty(
  asked: NewParty,
  made: { partyId: string; contentHash: string; now: Date },
): Party {
  const { kind, dateOfBirth = null, contactPoints } = asked
  const timeZone = asked.timeZone ?? 'UTC'
  requireTimeZone(timeZone, '/timeZone')
  if (dateOfBirth !== null) requireBirth(kind, dateOfBirth, dateOf(made.now))
  const { now, ...identity } = made
  const party: Party = {
    ...identity,
    ...requireName(kind, asked),
    kind,
    status: 'active',
    dateOfBirth,
    diedOn: null,
    deathRecordedAt: null,
    language: parseLanguage(asked.language ?? 'en'),
    timeZone,
    contactPoints: [],
    marketingOptOut: false,
    marketingOptOutChannels: [],
    suppressedChannels: [],
    quietHours: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return (contactPoints ?? []).reduce(
    (so, point, index) => withContactPoint(so, point, `/contactPoints/${index}`),
    party,
  )
}

function requireBirth(kind: PartyKind, dateOfBirth: LocalDate, today: LocalDate): void {
  const refuse = (detail: string) => invalid('/dateOfBirth', 'DATE_OF_BIRTH_INVALID', detail)
  if (kind !== 'person') throw refuse('An organization must not have a date of birth.')
  if (dateOfBirth > today) throw refuse('The date of birth must not be in the future.')
}

/** The full name of a person, or the name of an organization. */
export function displayName({ givenName, familyName, organisationName }: PartyName): string {
  return organisationName ?? [givenName, familyName].filter((part) => part !== null).join(' ')
}

export interface PartyChanges extends Partial<PartyName> {
  language?: string | null
  timeZone?: string | null
}

/**
 * Changes the given fields of a party. Rejects as `newParty` does, and with STATE_CONFLICT when the
 * party is closed.
 */
export function changeParty(party: Party, asked: PartyChanges): Party {
  requireOpen(party)
  const timeZone = asked.timeZone ?? party.timeZone
  requireTimeZone(timeZone, '/timeZone')
  return {
    ...party,
    ...requireName(party.kind, {
      givenName: asked.givenName ?? party.givenName,
      familyName: asked.familyName ?? party.familyName,
      organisationName: asked.organisationName ?? party.organisationName,
    }),
    language: asked.language ? parseLanguage(asked.language) : party.language,
    timeZone,
  }
}

/**
 * Adds an address. Rejects with VALIDATION_FAILED an invalid or duplicate address, and with
 * STATE_CONFLICT when the party is closed.
 */
export function withContactPoint(party: Party, point: ContactPoint, at = ''): Party {
  requireOpen(party)
  requireAddress(point.channel, point.address, `${at}/address`)
  if (party.contactPoints.some((other) => isSameContact(other, point))) {
    throw invalid(`${at}/address`, 'ADDRESS_TWICE', 'The party already has this address.')
  }
  if (party.contactPoints.length >= mostContactPoints) {
    throw invalid(at, 'TOO_MANY', `A party can have at most ${mostContactPoints} contact points.`)
  }
  const { channel, address, verified } = point
  return { ...party, contactPoints: [...party.contactPoints, { channel, address, verified }] }
}

type Address = Pick<ContactPoint, 'channel' | 'address'>

/**
 * Marks an address as verified; no change when it is verified already. Rejects with
 * CONTACT_POINT_NOT_FOUND, STATE_CONFLICT when closed.
 */
export function verifyContactPoint(party: Party, address: Address): Party {
  requireOpen(party)
  const found = requireContactPoint(party, address)
  if (found.verified) return party
  const verified = { ...found, verified: true }
  return {
    ...party,
    contactPoints: party.contactPoints.map((point) => (point === found ? verified : point)),
  }
}

/** Removes an address. Rejects with CONTACT_POINT_NOT_FOUND, STATE_CONFLICT when closed. */
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
  /** `zone` defaults to the time zone of the party. */
  quietHours?: { from: string; to: string; zone?: string | null } | null
  removeQuietHours?: boolean | null
}

/**
 * Changes the given preferences. Rejects with VALIDATION_FAILED invalid hours, and with
 * STATE_CONFLICT when the party is closed.
 */
export function changeConsent(party: Party, asked: ConsentChanges): Party {
  requireOpen(party)
  if (asked.quietHours && asked.removeQuietHours) {
    throw invalid(
      '/removeQuietHours',
      'CONTRADICTION',
      'Quiet hours cannot be set and removed in the same request.',
    )
  }
  const quietHours = asked.quietHours && {
    from: asked.quietHours.from,
    to: asked.quietHours.to,
    zone: asked.quietHours.zone ?? party.timeZone,
  }
  if (quietHours) requireQuietHours(quietHours)
  return {
    ...party,
    marketingOptOut: asked.marketingOptOut ?? party.marketingOptOut,
    marketingOptOutChannels: once(asked.marketingOptOutChannels ?? party.marketingOptOutChannels),
    suppressedChannels: once(asked.suppressedChannels ?? party.suppressedChannels),
    quietHours: asked.removeQuietHours ? null : (quietHours ?? party.quietHours),
  }
}

const once = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/**
 * Records a death. Rejects with INVALID_STATE_TRANSITION, and with VALIDATION_FAILED an impossible
 * date or an organization.
 */
export function recordDeath(party: Party, diedOn: LocalDate, now: Date): Party {
  const today = dateOf(now)
  requireMove(partyMoves, party.status, 'deceased', party.partyId)
  if (party.kind !== 'person') {
    throw invalid(
      '/partyId',
      'NOT_A_PERSON',
      'A death can be recorded for a person only, not for an organization.',
    )
  }
  if (diedOn > today || (party.dateOfBirth !== null && diedOn < party.dateOfBirth)) {
    throw invalid(
      '/diedOn',
      'DATE_OF_DEATH_INVALID',
      `The date of death must be between the date of birth and ${today}.`,
    )
  }
  return { ...party, status: 'deceased', diedOn, deathRecordedAt: now }
}

/**
 * Closes a party. Rejects with INVALID_STATE_TRANSITION, and RELATION_NOT_SETTLED while a customer,
 * an agreement, an account or a facility is open; `errors` lists them.
 */
export function closeParty(party: Party, open: readonly Fault[]): Party {
  requireMove(partyMoves, party.status, 'closed', party.partyId)
  requireSettled(party.partyId, open)
  return { ...party, status: 'closed' }
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

/** Checks that new business can be done with the party. Rejects with PARTY_NOT_ACTIVE. */
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
 * The preferred address of a party on each channel: the first verified one, otherwise the first. An
 * active party always has its secure-message inbox.
 */
export function reach(party: Party): ContactPoint[] {
  const inbox: ContactPoint = { channel: 'secure-message', address: party.partyId, verified: true }
  const points =
    party.status === 'active' ? [...party.contactPoints, inbox] : [...party.contactPoints]
  points.sort((one, other) => Number(other.verified) - Number(one.verified))
  const best = new Map<ContactChannel, ContactPoint>()
  for (const point of points) if (!best.has(point.channel)) best.set(point.channel, point)
  return [...best.values()]
}
