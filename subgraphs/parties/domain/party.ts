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
import { requireSettled } from './settled.ts'

export const partyKinds = ['person', 'organisation'] as const
export type PartyKind = (typeof partyKinds)[number]

export const partyStatuses = ['active', 'deceased', 'closed'] as const
export type PartyStatus = (typeof partyStatuses)[number]

/** A party ends once: nothing is undone here, a mistake is corrected by a new party. */
export const partyMoves: Transitions<PartyStatus> = {
  active: ['deceased', 'closed'],
  deceased: ['closed'],
  closed: [],
}

/** What a party is called: a person by given and family name, an organisation by its own. */
export interface PartyName {
  givenName: string | null
  familyName: string | null
  organisationName: string | null
}

/** What a party wants to be sent, and when. */
export interface Consent {
  /** Opted out of marketing on every channel. */
  marketingOptOut: boolean
  /** Opted out of marketing on these. */
  marketingOptOutChannels: ContactChannel[]
  /** Channels that nothing may be sent on, whatever it is. */
  suppressedChannels: ContactChannel[]
  quietHours: QuietHours | null
}

/** A person or an organisation the bank deals with. */
export interface Party extends PartyName, Consent {
  partyId: string
  kind: PartyKind
  status: PartyStatus
  dateOfBirth: LocalDate | null
  diedOn: LocalDate | null
  /** When the death became known to the bank. */
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
 * A new party, active and without any objection to being written to.
 * Refuses with VALIDATION_FAILED a name that does not fit the kind, a birth in the future, an
 * address, language or time zone that is none, and the same address twice.
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

function requireName(kind: PartyKind, name: Partial<PartyName>): PartyName {
  const { givenName = null, familyName = null, organisationName = null } = name
  if (kind === 'person') {
    if (organisationName) throw invalid('/organisationName', 'NAME_INVALID', 'A person has none.')
    if (givenName === null && familyName === null) {
      throw invalid('/familyName', 'NAME_REQUIRED', 'A person has a given or a family name.')
    }
  } else {
    if (givenName) throw invalid('/givenName', 'NAME_INVALID', 'An organisation has none.')
    if (familyName) throw invalid('/familyName', 'NAME_INVALID', 'An organisation has none.')
    if (organisationName === null) {
      throw invalid('/organisationName', 'NAME_REQUIRED', 'An organisation has a name.')
    }
  }
  return { givenName, familyName, organisationName }
}

function requireBirth(kind: PartyKind, dateOfBirth: LocalDate, today: LocalDate): void {
  const refuse = (detail: string) => invalid('/dateOfBirth', 'DATE_OF_BIRTH_INVALID', detail)
  if (kind !== 'person') throw refuse('Only a person is born.')
  if (dateOfBirth > today) throw refuse('A birth is not in the future.')
}

/** What a party is called in one line. */
export function displayName({ givenName, familyName, organisationName }: PartyName): string {
  return organisationName ?? [givenName, familyName].filter((part) => part !== null).join(' ')
}

export interface PartyChanges extends Partial<PartyName> {
  language?: string | null
  timeZone?: string | null
}

/** Renames a party or changes its language or time zone; what is absent stays. Refuses as newParty does, and STATE_CONFLICT when closed. */
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

/** Adds an address. Refuses with VALIDATION_FAILED one that is none or is there, STATE_CONFLICT when closed. */
export function withContactPoint(party: Party, point: ContactPoint, at = ''): Party {
  requireOpen(party)
  requireAddress(point.channel, point.address, `${at}/address`)
  if (party.contactPoints.some((other) => isSameContact(other, point))) {
    throw invalid(`${at}/address`, 'ADDRESS_TWICE', 'The party has this address already.')
  }
  if (party.contactPoints.length >= mostContactPoints) {
    throw invalid(at, 'TOO_MANY', `A party has at most ${mostContactPoints} contact points.`)
  }
  const { channel, address, verified } = point
  return { ...party, contactPoints: [...party.contactPoints, { channel, address, verified }] }
}

type Address = Pick<ContactPoint, 'channel' | 'address'>

/** Records that an address is verified; once it is, nothing changes. Refuses with CONTACT_POINT_NOT_FOUND, STATE_CONFLICT when closed. */
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

/** Forgets an address. Refuses with CONTACT_POINT_NOT_FOUND, STATE_CONFLICT when closed. */
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
  /** `zone` defaults to the party's own. */
  quietHours?: { from: string; to: string; zone?: string | null } | null
  removeQuietHours?: boolean | null
}

/** Changes what a party consents to; what is absent stays. Refuses with VALIDATION_FAILED hours that are none, STATE_CONFLICT when closed. */
export function changeConsent(party: Party, asked: ConsentChanges): Party {
  requireOpen(party)
  if (asked.quietHours && asked.removeQuietHours) {
    throw invalid('/removeQuietHours', 'CONTRADICTION', 'Quiet hours are set or removed.')
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

/** Records a death. Refuses with INVALID_STATE_TRANSITION, VALIDATION_FAILED a date that cannot be, and an organisation. */
export function recordDeath(party: Party, diedOn: LocalDate, now: Date): Party {
  const today = dateOf(now)
  requireMove(partyMoves, party.status, 'deceased', party.partyId)
  if (party.kind !== 'person') {
    throw invalid('/partyId', 'NOT_A_PERSON', 'Only a person dies.')
  }
  if (diedOn > today || (party.dateOfBirth !== null && diedOn < party.dateOfBirth)) {
    throw invalid('/diedOn', 'DATE_OF_DEATH_INVALID', 'A death is after the birth, not to come.')
  }
  return { ...party, status: 'deceased', diedOn, deathRecordedAt: now }
}

/**
 * Ends the relation. Rejects with INVALID_STATE_TRANSITION, and RELATION_NOT_SETTLED while a customer,
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
    detail: `${partyId} is closed and does not change.`,
    resourceId: partyId,
    currentState: status,
    allowedStates: ['active', 'deceased'],
  })
}

/** Promises a party that new business can be done with. Refuses with PARTY_NOT_ACTIVE. */
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
 * How a party is reached: per channel its first verified address, else its first. The bank's own
 * inbox always reaches an active party.
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
