import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aPartiesBank, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

const publish = (subject: string, data: object) =>
  bank.rows(
    'insert into kernel.fact values ($1, 1, $2) on conflict (subject) do update set data = $2',
    [subject, data],
  )
const mutate = (document: string, options: object = {}) =>
  bank.execute(`mutation { answer: ${document} }`, {}, options)

describe('a customer with open business', () => {
  test('is not closed, and is told everything that has to be settled', async () => {
    const partyId = await bank.aParty()
    const customerId = await bank.aCustomer(partyId)
    const of = { customerId, partyId }
    await publish('arrangement/arr_1', { arrangementId: 'arr_1', state: 'dormant', ...of })
    await publish('arrangement/arr_2', { arrangementId: 'arr_2', state: 'closed', ...of })
    await publish('facility/fac_1', { facilityId: 'fac_1', state: 'active', ...of })
    await publish('facility/fac_2', { facilityId: 'fac_2', state: 'charged-off', ...of })
    await publish('facility/fac_3', { facilityId: 'fac_3', state: 'paid-off', ...of })
    const refused = await mutate(`closeCustomer(customerId: "${customerId}") { status }`)
    expect(refused.code).toBe('RELATION_NOT_SETTLED')
    expect(refused.errors[0]!.extensions!['errors']).toMatchObject([
      { pointer: '/customerId', code: 'FACILITY_OPEN', resourceId: 'fac_1' },
      { pointer: '/customerId', code: 'FACILITY_OPEN', resourceId: 'fac_2' },
      { pointer: '/customerId', code: 'ACCOUNT_OPEN', resourceId: 'arr_1' },
    ])
    const party = await mutate(`closeParty(partyId: "${partyId}") { status }`)
    expect(party.code).toBe('RELATION_NOT_SETTLED')
    const ids = (party.errors[0]!.extensions!['errors'] as { resourceId: string }[]).map(
      ({ resourceId }) => resourceId,
    )
    expect(ids).toEqual([customerId, 'fac_1', 'fac_2', 'arr_1'])
    await publish('arrangement/arr_1', { arrangementId: 'arr_1', state: 'closed', ...of })
    await publish('facility/fac_1', { facilityId: 'fac_1', state: 'paid-off', ...of })
    await publish('facility/fac_2', { facilityId: 'fac_2', state: 'written-off', ...of })
    const closed = await mutate(`closeCustomer(customerId: "${customerId}") { status }`)
    expect(closed.data.answer.status).toBe('CLOSED')
    expect((await mutate(`closeParty(partyId: "${partyId}") { status }`)).errors).toEqual([])
  })

  test('a party is not closed while a facility of it is open', async () => {
    const partyId = await bank.aParty()
    await publish('facility/fac_9', { facilityId: 'fac_9', state: 'in-arrears', partyId })
    const refused = await mutate(`closeParty(partyId: "${partyId}") { status }`)
    expect(refused.errors[0]!.extensions).toMatchObject({
      code: 'RELATION_NOT_SETTLED',
      errors: [{ resourceId: 'fac_9' }],
    })
  })
})

describe('a death', () => {
  test('is published with the instant from which it counts', async () => {
    const partyId = await bank.aParty()
    await mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`)
    expect(await bank.fact(`party/${partyId}`)).toMatchObject({
      status: 'deceased',
      deathRecordedAt: '2026-03-02T09:00:00.000Z',
    })
  })

  test('leaves it to the bank to entitle the executor', async () => {
    const [partyId, executor] = [await bank.aParty(), await bank.aParty()]
    const arrangementId = `arr_of_${partyId}`
    await publish(`arrangement/${arrangementId}`, { arrangementId, partyId, currency: 'EUR' })
    await mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`)
    const grant = `grantEntitlement(input: { grantorPartyId: "${partyId}", granteePartyId: "${executor}",
      resource: "arrangement/${arrangementId}", right: TRANSFER }) { entitlementId }`
    expect((await mutate(grant, { caller: aCaller({ partyId }) })).code).toBe('PARTY_DECEASED')
    expect((await mutate(grant)).errors).toEqual([])
    expect(await bank.fact(`entitlements-of/${executor}`)).toMatchObject({
      grants: [{ grantedAt: '2026-03-02T09:00:00.000Z' }],
    })
  })
})
