import { describe, expect, test } from 'vitest'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
import * as agreements from '../../../subgraphs/parties/domain/agreement.ts'
import { requireAddress, type ContactPoint } from '../../../subgraphs/parties/domain/contact.ts'
import * as customers from '../../../subgraphs/parties/domain/customer.ts'
import * as parties from '../../../subgraphs/parties/domain/party.ts'

const now = new Date('2026-03-02T09:00:00Z')
const today = '2026-03-02'

const newParty = (asked: Partial<parties.NewParty> = {}) =>
  parties.newParty(
    { kind: 'person', givenName: 'Ada', familyName: 'Lovelace', ...asked },
    { partyId: 'pty_1', contentHash: 'hash', now },
  )
const email = (address: string, verified = false): ContactPoint => ({
  channel: 'email',
  address,
  verified,
})

/** The code of the first fault, or of the problem itself. */
function refusal(decide: () => unknown): string {
  try {
    decide()
  } catch (error) {
    if (error instanceof Problem) return error.members.errors?.[0]?.code ?? error.code
    throw error
  }
  return 'accepted'
}

describe('a new party', () => {
  test.each([
    [{ kind: 'person', givenName: null, familyName: null }, 'NAME_REQUIRED'],
    [{ kind: 'person', organisationName: 'Ada Ltd' }, 'NAME_INVALID'],
    [{ kind: 'organisation', organisationName: 'Ada Ltd' }, 'NAME_INVALID'],
    [{ kind: 'organisation', givenName: null, familyName: null }, 'NAME_REQUIRED'],
    [{ dateOfBirth: '2026-03-03' }, 'DATE_OF_BIRTH_INVALID'],
    [{ dateOfBirth: today }, 'accepted'],
    [{ language: 'not a language' }, 'LANGUAGE_INVALID'],
    [{ language: 'pt-BR' }, 'accepted'],
    [{ timeZone: 'Mars/Olympus' }, 'TIME_ZONE_INVALID'],
    [{ timeZone: '+02:00' }, 'TIME_ZONE_INVALID'],
    [{ timeZone: 'Europe/Amsterdam' }, 'accepted'],
    [{ contactPoints: [email('a@example.com'), email('A@EXAMPLE.com')] }, 'ADDRESS_TWICE'],
  ] as [Partial<parties.NewParty>, string][])('%j: %s', (asked, expected) => {
    expect(refusal(() => newParty(asked))).toBe(expected)
  })

  test('is called by its name', () => {
    expect(parties.displayName(newParty())).toBe('Ada Lovelace')
    expect(parties.displayName(newParty({ givenName: null }))).toBe('Lovelace')
  })

  test('an organisation is not born and does not die', () => {
    const none = { givenName: null, familyName: null }
    const company = newParty({ kind: 'organisation', organisationName: 'Ada Ltd', ...none })
    expect(refusal(() => parties.recordDeath(company, today, new Date(`${today}T09:00:00Z`)))).toBe(
      'NOT_A_PERSON',
    )
  })
})

test.each([
  ['email', 'ada@example.com', true],
  ['email', 'ada.b+c@sub.example.co', true],
  ['email', 'ada@example', false],
  ['email', 'ada@@example.com', false],
  ['email', 'ada@example.com\r\nBcc: all@example.com', false],
  ['email', 'Ada <ada@example.com>', false],
  ['email', `${'a'.repeat(65)}@example.com`, false],
  ['email', `ada@${'a'.repeat(260)}.com`, false],
  ['sms', '+31612345678', true],
  ['sms', '0612345678', false],
  ['sms', '+0612345678', false],
  ['push', 'device-token', true],
  ['push', 'device token', false],
  ['secure-message', 'inbox', true],
  ['secure-message', '', false],
] as const)('%s address %j is taken: %s', (channel, address, isTaken) => {
  const found = refusal(() => requireAddress(channel, address, '/address'))
  expect(found).toBe(isTaken ? 'accepted' : 'ADDRESS_INVALID')
})

describe('how a party is reached', () => {
  test('by its first verified address, else its first; by secure message always', () => {
    const party = newParty({
      contactPoints: [
        email('first@example.com'),
        email('second@example.com', true),
        { channel: 'sms', address: '+31612345678', verified: false },
      ],
    })
    expect(Object.fromEntries(parties.reach(party).map((at) => [at.channel, at.address]))).toEqual({
      email: 'second@example.com',
      sms: '+31612345678',
      'secure-message': 'pty_1',
    })
  })

  test('not by secure message once it is deceased', () => {
    const party = parties.recordDeath(newParty(), today, new Date(`${today}T09:00:00Z`))
    expect(parties.reach(party)).toEqual([])
  })

  test('by at most 50 addresses', () => {
    let party = newParty()
    const add = (count: number) => () => {
      party = parties.withContactPoint(party, email(`a${count}@example.com`))
    }
    for (let count = 1; count <= 50; count++) add(count)()
    expect(refusal(add(51))).toBe('TOO_MANY')
  })
})

describe('consent', () => {
  const hours = { from: '22:00', to: '07:00' }
  test('what is absent stays, a list replaces the list and holds each channel once', () => {
    const before = parties.changeConsent(newParty({ timeZone: 'Europe/Paris' }), {
      marketingOptOut: true,
      quietHours: hours,
      suppressedChannels: ['sms', 'sms'],
    })
    expect(before.quietHours).toEqual({ ...hours, zone: 'Europe/Paris' })
    expect(before.suppressedChannels).toEqual(['sms'])
    const after = parties.changeConsent(before, { suppressedChannels: [], removeQuietHours: true })
    expect(after).toEqual({ ...before, suppressedChannels: [], quietHours: null })
  })

  test.each([
    [{ quietHours: { ...hours, from: '24:00' } }, 'TIME_INVALID'],
    [{ quietHours: { ...hours, to: '22:00' } }, 'QUIET_HOURS_EMPTY'],
    [{ quietHours: { ...hours, zone: 'Nowhere' } }, 'TIME_ZONE_INVALID'],
    [{ quietHours: hours, removeQuietHours: true }, 'CONTRADICTION'],
  ] as const)('%j: %s', (asked, expected) => {
    expect(refusal(() => parties.changeConsent(newParty(), asked))).toBe(expected)
  })
})

test('a closed party does not change', () => {
  const closed = parties.closeParty(newParty({ contactPoints: [email('a@example.com')] }), [])
  const at = { channel: 'email', address: 'a@example.com' } as const
  const changes = [
    () => parties.changeParty(closed, { givenName: 'Augusta' }),
    () => parties.changeConsent(closed, { marketingOptOut: true }),
    () => parties.withContactPoint(closed, email('b@example.com')),
    () => parties.verifyContactPoint(closed, at),
    () => parties.withoutContactPoint(closed, at),
  ]
  expect(changes.map(refusal)).toEqual(changes.map(() => 'STATE_CONFLICT'))
})

test('a party with open records does not close', () => {
  const open = { pointer: '/partyId', code: 'CUSTOMER_OPEN', detail: 'cus_1 is open.' }
  expect(refusal(() => parties.closeParty(newParty(), [open]))).toBe('CUSTOMER_OPEN')
})

describe('KYC', () => {
  const customer = customers.newCustomer(
    { partyId: 'pty_1' },
    { customerId: 'cus_1', contentHash: 'hash', now },
  )
  test('is good through its last day and not after it', () => {
    const passed = customers.passKyc(customers.startKyc(customer), '2026-03-03', today)
    expect(customers.isKycGood(passed, '2026-03-03')).toBe(true)
    expect(customers.isKycGood(passed, '2026-03-04')).toBe(false)
    const late = () => customers.activateCustomer(passed, '2026-03-04')
    expect(refusal(late)).toBe('KYC_INCOMPLETE')
  })

  test('is not passed for a day that is over', () => {
    const started = customers.startKyc(customer)
    expect(refusal(() => customers.passKyc(started, today, today))).toBe('INVALID_DATE_RANGE')
  })

  test('comes before a customer is active', () => {
    expect(refusal(() => customers.activateCustomer(customer, today))).toBe('KYC_INCOMPLETE')
  })
})

describe('an agreement', () => {
  const draft = (asked: Partial<agreements.NewAgreement> = {}) =>
    agreements.newAgreement(
      { partyId: 'pty_1', productCode: 'current', agreementType: 'current-account', ...asked },
      { agreementId: 'agr_1', contentHash: 'hash', now },
    )
  const sent = (asked: Partial<agreements.NewAgreement> = {}) =>
    agreements.sendForSignature(draft(asked))

  test('starts as a draft in any letter case, and as nothing else', () => {
    expect(draft({ status: 'DRAFT' }).status).toBe('draft')
    expect(refusal(() => draft({ status: 'active' }))).toBe('INVALID_INITIAL_STATUS')
  })

  test('does not end before it begins', () => {
    const dates = { effectiveFrom: '2026-03-02', effectiveTo: '2026-03-01' }
    expect(refusal(() => draft(dates))).toBe('INVALID_DATE_RANGE')
    expect(refusal(() => draft({ ...dates, effectiveTo: '2026-03-02' }))).toBe('accepted')
  })

  test('holds from the day it was signed unless it says otherwise', () => {
    expect(agreements.signAgreement(sent(), now, now)).toMatchObject({
      status: 'active',
      signedAt: now,
      effectiveFrom: today,
    })
    const later = sent({ effectiveFrom: '2026-04-01' })
    expect(agreements.signAgreement(later, now, now).effectiveFrom).toBe('2026-04-01')
  })

  test('is not signed in the future, but for a minute of another clock', () => {
    const at = (ms: number) => () =>
      agreements.signAgreement(sent(), new Date(now.getTime() + ms), now)
    expect(refusal(at(60_000))).toBe('accepted')
    expect(refusal(at(60_001))).toBe('SIGNED_AT_IN_FUTURE')
  })

  test('is not signed after its last day, and expires on the day after it', () => {
    const last = sent({ effectiveTo: today })
    const active = agreements.signAgreement(last, now, now)
    expect(refusal(() => agreements.expireAgreement(active, today))).toBe('STATE_CONFLICT')
    expect(agreements.expireAgreement(active, '2026-03-03').status).toBe('expired')
    const tomorrow = new Date('2026-03-03T00:00:00Z')
    const late = () => agreements.signAgreement(last, now, tomorrow)
    expect(refusal(late)).toBe('STATE_CONFLICT')
  })
})
