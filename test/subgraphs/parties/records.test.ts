import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusOf } from '../../kit/status-of.ts'
import { aPartiesBank, unique, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

describe('party', () => {
  const change = (call: string, variables: object = {}) =>
    bank.execute(
      `mutation { ${call} { language contactPoints { channel address verified } marketingOptOut
        suppressedChannels quietHours { from to zone } } }`,
      { ...variables },
    )

  test('is changed step by step, and its fact follows without names or addresses', async () => {
    const id = await bank.aParty()
    await change(`updateParty(input: { partyId: "${id}", language: "pt-br" })`)
    const phone = `partyId: "${id}", channel: SMS, address: "+31612345678"`
    const add = `addContactPoint(partyId: "${id}", contactPoint: { channel: SMS, address: "+31612345678" })`
    await change(add)
    await change(`verifyContactPoint(${phone})`)
    const consent = await change(`setConsent(input: { partyId: "${id}", marketingOptOut: true,
      suppressedChannels: [PUSH], quietHours: { from: "22:00", to: "07:00" } })`)
    expect(consent.data.setConsent).toMatchObject({
      language: 'pt-BR',
      contactPoints: [{ channel: 'EMAIL' }, { channel: 'SMS', verified: true }],
      suppressedChannels: ['PUSH'],
      quietHours: { from: '22:00', to: '07:00', zone: 'Europe/London' },
    })
    await change(`removeContactPoint(partyId: "${id}", channel: EMAIL, address: "ADA@example.com")`)
    await change(`recordDeath(partyId: "${id}", diedOn: "2026-03-01")`)
    expect(await bank.fact(`party/${id}`)).toEqual({
      partyId: id,
      kind: 'person',
      status: 'deceased',
      deathRecordedAt: '2026-03-02T09:00:00.000Z',
      language: 'pt-BR',
      isRestricted: false,
      channels: { sms: { verified: true } },
      marketingOptOut: true,
      marketingOptOutChannels: [],
      suppressedChannels: ['push'],
      quietHours: { from: '22:00', to: '07:00', zone: 'Europe/London' },
    })
    expect(await bank.eventsOf(`party/${id}`)).toEqual(
      [
        'created',
        'updated',
        'updated',
        'contact-point-verified',
        'consent-changed',
        'updated',
        'deceased',
      ].map((fact) => `parties.party.${fact}`),
    )
    const mine = (await bank.events()).filter(({ subject }) => subject === `party/${id}`)
    expect(mine.every(({ parties }) => parties.join() === id)).toBe(true)
    const events = JSON.stringify((await bank.events()).map(({ data }) => data))
    expect(events).not.toMatch(/Lovelace|ada@example|\+316/)
  })

  test('changes nothing and emits nothing when an address is verified again', async () => {
    const id = await bank.aParty()
    const before = await bank.everything()
    const call = `verifyContactPoint(partyId: "${id}", channel: EMAIL, address: "ada@example.com")`
    expect((await change(call)).errors).toEqual([])
    expect(await bank.everything()).toEqual(before)
  })

  test('rejects an address that it does not have', async () => {
    const call = `removeContactPoint(partyId: "${await bank.aParty()}", channel: SMS, address: "+31600000000")`
    expect((await change(call)).code).toBe('CONTACT_POINT_NOT_FOUND')
  })

  test('lists its best address per channel; unknown parties are left out', async () => {
    const id = await bank.aParty()
    const { data } = await bank.execute(
      `query ($ids: [ID!]!) { partyContacts(partyIds: $ids) { partyId displayName contactPoints { channel address } } }`,
      { ids: ['pty_nobody', id] },
    )
    expect(data.partyContacts).toEqual([
      {
        partyId: id,
        displayName: 'Ada Lovelace',
        contactPoints: [
          { channel: 'EMAIL', address: 'ada@example.com' },
          { channel: 'SECURE_MESSAGE', address: id },
        ],
      },
    ])
  })

  test('can be closed only when its customers and agreements have ended', async () => {
    const id = await bank.aParty()
    const customerId = await bank.aCustomer(id)
    const agreementId = await bank.anAgreement(id)
    const close = () => bank.execute(`mutation { closeParty(partyId: "${id}") { status } }`)
    expect((await close()).code).toBe('RELATION_NOT_SETTLED')
    await bank.execute(`mutation { closeCustomer(customerId: "${customerId}") { status } }`)
    expect((await close()).errors[0]!.message).toContain(agreementId)
    await bank.execute(`mutation { cancelAgreement(agreementId: "${agreementId}") { status } }`)
    expect((await close()).data.closeParty.status).toBe('CLOSED')
  })

  test('gets no customer when it is closed between the decision and the commit', async () => {
    const id = await bank.aParty()
    const closing = await bank.bank.pool.connect()
    await closing.query('begin')
    await closing.query(
      `update parties.party set status = 'closed', version = version + 1 where party_id = $1`,
      [id],
    )
    const created = bank.execute(
      `mutation { createCustomer(input: { partyId: "${id}" }) { status } }`,
    )
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await bank.rows(waits)).length === 0) await sleep(5)
    await closing.query('commit')
    closing.release()
    expect((await created).code).toBe('PARTY_NOT_ACTIVE')
  })

  test('either gets a customer or closes when both are requested at once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await bank.aParty()
      const input = { partyId: id, customerId: unique('cus') }
      const document = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { status } }`
      const [created, closed] = await Promise.all([
        bank.execute(document, { input }),
        bank.execute(`mutation { closeParty(partyId: "${id}") { status } }`),
      ])
      expect([created.code, closed.code].filter((code) => code === undefined)).toHaveLength(1)
      expect(created.code ?? closed.code).toMatch(/^(PARTY_NOT_ACTIVE|RELATION_NOT_SETTLED)$/)
    }
  })
})

describe('creation', () => {
  const cases = [
    ['createParty', 'CreatePartyInput', 'partyId', () => ({ kind: 'PERSON', givenName: 'Ada' })],
    ['createCustomer', 'CreateCustomerInput', 'customerId', (partyId: string) => ({ partyId })],
    [
      'createAgreement',
      'CreateAgreementInput',
      'agreementId',
      (partyId: string) => ({ partyId, productCode: 'P', agreementType: 'T', status: 'Draft' }),
    ],
  ] as const

  test.each(cases)(
    '%s: returns the same record for the same id and content',
    async (name, type, key, member) => {
      const partyId = await bank.aParty()
      const id = unique('id')
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${key} createdAt } }`
      const input = { ...member(partyId), [key]: id }
      const answers = await Promise.all([1, 2, 3].map(() => bank.execute(document, { input })))
      expect(answers.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
      const entity = key.slice(0, -2)
      expect(await bank.eventsOf(`${entity}/${id}`)).toHaveLength(1)
      const other =
        name === 'createParty' ? { givenName: 'Augusta' } : { partyId: await bank.aParty() }
      const before = await bank.everything()
      const refused = await bank.execute(document, { input: { ...input, ...other } })
      expect(refused.errors[0]!.extensions).toMatchObject({
        code: 'RESOURCE_EXISTS',
        resourceId: id,
      })
      expect(await bank.everything()).toEqual(before)
    },
  )

  test.each(cases)(
    '%s: generates an id, and replays the response of an idempotency key',
    async (name, type, key, member) => {
      const input = member(await bank.aParty())
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${key} createdAt } }`
      const options = { idempotencyKey: unique('key') }
      const first = await bank.execute(document, { input }, options)
      expect(first.data[name][key]).toMatch(/^(pty|cus|agr)_[0-9a-z]{26}$/)
      bank.clock.advance(1000)
      const again = await bank.execute(document, { input }, options)
      expect(again).toEqual({ ...first, isReplayed: true })
      const reused = await bank.execute(document, { input: { ...input, [key]: 'x' } }, options)
      expect(reused.code).toBe('IDEMPOTENCY_KEY_REUSED')
    },
  )

  test.each(cases.slice(1))(
    '%s: rejects an unknown party with status 422',
    async (name, type, _, member) => {
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`
      const { errors } = await bank.execute(document, { input: member('pty_nobody') })
      expect(errors[0]!.extensions).toMatchObject({
        code: 'PARTY_NOT_FOUND',
        status: 422,
        resourceId: 'pty_nobody',
        errors: [{ pointer: '/partyId' }],
      })
    },
  )

  test.each(cases.slice(1))(
    '%s: rejects a deceased party with status 422',
    async (name, type, _, member) => {
      const id = await bank.aParty()
      await bank.execute(
        `mutation { recordDeath(partyId: "${id}", diedOn: "2026-03-01") { status } }`,
      )
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`
      const { errors } = await bank.execute(document, { input: member(id) })
      expect(errors).toMatchObject([{ extensions: { code: 'PARTY_NOT_ACTIVE' } }])
      expect(statusOf(errors[0]!)).toBe(422)
    },
  )
})

test('a customer becomes active after KYC, and its fact is updated', async () => {
  const id = await bank.aCustomer(await bank.aParty())
  const run = (call: string) => bank.execute(`mutation { ${call} { status kycState } }`)
  expect((await run(`activateCustomer(customerId: "${id}")`)).code).toBe('KYC_INCOMPLETE')
  await run(`startKyc(customerId: "${id}")`)
  await run(`passKyc(customerId: "${id}", expiresOn: "2027-03-02")`)
  const { data } = await run(`activateCustomer(customerId: "${id}")`)
  expect(data.activateCustomer).toEqual({ status: 'ACTIVE', kycState: 'PASSED' })
  expect(await bank.fact(`customer/${id}`)).toMatchObject({
    status: 'active',
    kycState: 'passed',
    kycExpiresOn: '2027-03-02',
  })
})
