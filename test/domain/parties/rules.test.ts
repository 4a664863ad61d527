import { agreementStates, type Agreement } from '../../../subgraphs/parties/model/agreement.ts'
import { kycStates } from '../../../subgraphs/parties/model/customer.ts'
import { partyStates, type ContactPoint } from '../../../subgraphs/parties/model/party.ts'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import * as agreements from '../../../subgraphs/parties/domain/agreement.ts'
import { requireAddress } from '../../../subgraphs/parties/domain/contact.ts'
import * as customers from '../../../subgraphs/parties/domain/customer.ts'
import * as parties from '../../../subgraphs/parties/domain/party.ts'
import { requireSettled } from '../../../subgraphs/parties/domain/settled.ts'

const now = new Date('2026-03-02T09:00:00Z')
const today = '2026-03-02'
const request = { now, subject: 'grace' }

const newParty = (request: Partial<parties.NewParty> = {}) =>
  parties.newParty(
    { kind: 'person', givenName: 'Ada', familyName: 'Lovelace', ...request },
    { partyId: 'pty_1', contentHash: 'hash', now },
  )
const email = (address: string, verified = false): ContactPoint => ({
  channel: 'email',
  address,
  verified,
})

/** The code of the first error, or of the problem itself. */
function refusal(decide: () => unknown): string {
  try {
    decide()
  } catch (error) {
    if (error instanceof Problem) return error.members.errors?.[0]?.code ?? error.code
    throw error
  }
  return 'accepted'
}

describe('new party', () => {
  test.each([
    [{ kind: 'person', givenName: null, familyName: null }, 'NAME_REQUIRED'],
    [{ kind: 'person', organizationName: 'Ada Ltd' }, 'NAME_INVALID'],
    [{ kind: 'organisation', organizationName: 'Ada Ltd' }, 'NAME_INVALID'],
    [{ kind: 'organisation', givenName: null, familyName: null }, 'NAME_REQUIRED'],
    [{ dateOfBirth: '2026-03-03' }, 'DATE_OF_BIRTH_INVALID'],
    [{ dateOfBirth: today }, 'accepted'],
    [{ language: 'not a language' }, 'LANGUAGE_INVALID'],
    [{ language: 'pt-BR' }, 'accepted'],
    [{ timeZone: 'Mars/Olympus' }, 'TIME_ZONE_INVALID'],
    [{ timeZone: '+02:00' }, 'TIME_ZONE_INVALID'],
    [{ timeZone: 'Europe/Amsterdam' }, 'accepted'],
    [{ contactPoints: [email('a@example.com'), email('A@EXAMPLE.com')] }, 'ADDRESS_TWICE'],
  ] as [Partial<parties.NewParty>, string][])('%j: %s', (request, expected) => {
    expect(refusal(() => newParty(request))).toBe(expected)
  })

  test('has its name as display name', () => {
    expect(parties.displayName(newParty())).toBe('Ada Lovelace')
    expect(parties.displayName(newParty({ givenName: null }))).toBe('Lovelace')
  })

  test('rejects a death for an organization', () => {
    const none = { givenName: null, familyName: null }
    const company = newParty({ kind: 'organisation', organizationName: 'Ada Ltd', ...none })
    expect(refusal(() => parties.requireDateOfDeath(company, today, today))).toBe('NOT_A_PERSON')
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
] as const)('%s address %j is valid: %s', (channel, address, isTaken) => {
  const found = refusal(() => requireAddress(channel, address, '/address'))
  expect(found).toBe(isTaken ? 'accepted' : 'ADDRESS_INVALID')
})

describe('contact points of a party', () => {
  test('are the first verified address per channel, else the first, and always secure message', () => {
    const party = newParty({
      contactPoints: [
        email('first@example.com'),
        email('second@example.com', true),
        { channel: 'sms', address: '+31612345678', verified: false },
      ],
    })
    expect(
      Object.fromEntries(
        parties.preferredContactPoints(party).map((at) => [at.channel, at.address]),
      ),
    ).toEqual({
      email: 'second@example.com',
      sms: '+31612345678',
      'secure-message': 'pty_1',
    })
  })

  test('a deceased party is not reachable, not even by secure message', () => {
    const party = applyTransition(partyStates, 'recordDeath', newParty(), request, {
      diedOn: today,
    })
    expect(party).toMatchObject({ diedOn: today, deathRecordedAt: now })
    expect(parties.preferredContactPoints(party)).toEqual([])
  })

  test('are limited to 50', () => {
    let party = newParty()
    const add = (count: number) => () => {
      party = parties.withContactPoint(party, email(`a${count}@example.com`))
    }
    for (let count = 1; count <= 50; count++) add(count)()
    expect(refusal(add(51))).toBe('TOO_MANY')
  })
})

describe('consent of a party', () => {
  const hours = { from: '22:00', to: '07:00' }
  test('absent members stay, a list replaces the previous one without duplicates', () => {
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
  ] as const)('%j: %s', (request, expected) => {
    expect(refusal(() => parties.changeConsent(newParty(), request))).toBe(expected)
  })
})

test('a closed party cannot be changed', () => {
  const open = newParty({ contactPoints: [email('a@example.com')] })
  const closed = applyTransition(partyStates, 'closeParty', open, request)
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

test('a party with open records cannot be closed', () => {
  const open = { pointer: '/partyId', code: 'CUSTOMER_OPEN', detail: 'cus_1 is open.' }
  expect(refusal(() => requireSettled('pty_1', [open]))).toBe('CUSTOMER_OPEN')
})

describe('KYC', () => {
  const customer = customers.newCustomer(
    { partyId: 'pty_1' },
    { customerId: 'cus_1', contentHash: 'hash', now },
  )
  test('is valid through its last day, and not after', () => {
    const started = applyTransition(kycStates, 'startKyc', customer, request)
    const passed = applyTransition(kycStates, 'passKyc', started, request, {
      kycExpiresOn: '2026-03-03',
    })
    expect(customers.isKycValid(passed, '2026-03-03')).toBe(true)
    expect(customers.isKycValid(passed, '2026-03-04')).toBe(false)
    const late = () => customers.requireValidKyc(passed, '2026-03-04')
    expect(refusal(late)).toBe('KYC_INCOMPLETE')
  })

  test('cannot be passed with an expiry that is not in the future', () => {
    expect(refusal(() => customers.requireExpiryAfter(today, today))).toBe('INVALID_DATE_RANGE')
    expect(refusal(() => customers.requireExpiryAfter(today, '2026-03-03'))).toBe('accepted')
  })

  test('is required before a customer becomes active', () => {
    expect(refusal(() => customers.requireValidKyc(customer, today))).toBe('KYC_INCOMPLETE')
  })
})

describe('agreement', () => {
  const draft = (request: Partial<agreements.NewAgreement> = {}) =>
    agreements.newAgreement(
      { partyId: 'pty_1', productCode: 'current', agreementType: 'current-account', ...request },
      { agreementId: 'agr_1', contentHash: 'hash', now },
    )
  const sent = (changes: Partial<agreements.NewAgreement> = {}) =>
    applyTransition(agreementStates, 'sendAgreementForSignature', draft(changes), request)

  const signed = (agreement: Agreement, signedAt: Date) => {
    agreements.requireSignable(agreement, signedAt, now)
    const active = applyTransition(agreementStates, 'signAgreement', agreement, request)
    return agreements.withSignature(active, signedAt)
  }

  test('accepts only the initial status draft, in any letter case', () => {
    for (const status of ['draft', 'DRAFT', 'Draft', 'dRaFt']) {
      expect(draft({ status }).status).toBe('draft')
    }
    expect(refusal(() => draft({ status: 'active' }))).toBe('INVALID_INITIAL_STATUS')
  })

  test('rejects an end before its start', () => {
    const dates = { effectiveFrom: '2026-03-02', effectiveTo: '2026-03-01' }
    expect(refusal(() => draft(dates))).toBe('INVALID_DATE_RANGE')
    expect(refusal(() => draft({ ...dates, effectiveTo: '2026-03-02' }))).toBe('accepted')
  })

  test('is effective from the signing date unless it has its own', () => {
    expect(signed(sent(), now)).toMatchObject({
      status: 'active',
      signedAt: now,
      effectiveFrom: today,
    })
    const later = sent({ effectiveFrom: '2026-04-01' })
    expect(signed(later, now).effectiveFrom).toBe('2026-04-01')
  })

  test('rejects a signing time more than one minute in the future', () => {
    const at = (ms: number) => () =>
      agreements.requireSignable(sent(), new Date(now.getTime() + ms), now)
    expect(refusal(at(60_000))).toBe('accepted')
    expect(refusal(at(60_001))).toBe('SIGNED_AT_IN_FUTURE')
  })

  test('cannot be signed after its last day, and expires on the day after', () => {
    const last = sent({ effectiveTo: today })
    const active = signed(last, now)
    expect(refusal(() => agreements.expireAgreement(active, today))).toBe('STATE_CONFLICT')
    expect(agreements.expireAgreement(active, '2026-03-03').status).toBe('expired')
    const tomorrow = new Date('2026-03-03T00:00:00Z')
    const late = () => agreements.requireSignable(last, now, tomorrow)
    expect(refusal(late)).toBe('STATE_CONFLICT')
  })
})
