import type { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import type { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '../../../subgraphs/accounts/domain/arrangement.ts'

import * as lending from '../../../subgraphs/lending/domain/facilities/facility.ts'

import { interruptCommit } from '../../kit/interrupted.ts'
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
const anAccount = (arrangementId: string, state: ArrangementState, of: object) => {
  const lifecycle = accounts.lifecycleOf({ state })
  return publish(`arrangement/${arrangementId}`, { arrangementId, state, lifecycle, ...of })
}
const aFacility = (facilityId: string, state: FacilityState, of: object) => {
  const lifecycle = lending.lifecycleOf({ state })
  return publish(`facility/${facilityId}`, { facilityId, state, lifecycle, ...of })
}
const mutate = (document: string, options: object = {}) =>
  bank.execute(`mutation { answer: ${document} }`, {}, options)

describe('customer with open business', () => {
  test('cannot be closed, and the error lists everything that has to be settled', async () => {
    const partyId = await bank.aParty()
    const customerId = await bank.aCustomer(partyId)
    const of = { customerId, partyId }
    await anAccount('arr_1', 'dormant', of)
    await anAccount('arr_2', 'closed', of)
    await aFacility('fac_1', 'active', of)
    await aFacility('fac_2', 'charged-off', of)
    await aFacility('fac_3', 'paid-off', of)
    await publish('obligor/obl_1', { partyId, status: 'active', lifecycle: 'open' })
    await publish('obligor/obl_2', { partyId, status: 'released', lifecycle: 'ended' })
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
    expect(ids).toEqual([customerId, 'fac_1', 'fac_2', 'arr_1', 'obl_1'])
    await anAccount('arr_1', 'closed', of)
    await aFacility('fac_1', 'paid-off', of)
    await aFacility('fac_2', 'written-off', of)
    const closed = await mutate(`closeCustomer(customerId: "${customerId}") { status }`)
    expect(closed.data.answer.status).toBe('CLOSED')
    await publish('obligor/obl_1', { partyId, status: 'ended', lifecycle: 'ended' })
    expect((await mutate(`closeParty(partyId: "${partyId}") { status }`)).errors).toEqual([])
  })

  test('keeps its party open while a facility is open', async () => {
    const partyId = await bank.aParty()
    await aFacility('fac_9', 'in-arrears', { partyId })
    const refused = await mutate(`closeParty(partyId: "${partyId}") { status }`)
    expect(refused.errors[0]!.extensions).toMatchObject({
      code: 'RELATION_NOT_SETTLED',
      errors: [{ resourceId: 'fac_9' }],
    })
  })
})

/** An account, and a mutation with which its owner grants another party a right to it. */
async function aGrant(right: string) {
  const [partyId, grantee] = [await bank.aParty(), await bank.aParty()]
  const arrangementId = `arr_of_${partyId}`
  await publish(`arrangement/${arrangementId}`, { arrangementId, partyId, currency: 'EUR' })
  const grant = `grantEntitlement(input: { grantorPartyId: "${partyId}", granteePartyId: "${grantee}",
    resource: "arrangement/${arrangementId}", right: ${right} }) { entitlementId }`
  return { partyId, grantee, grant }
}

describe('death of a party', () => {
  test('is published with the time from which it counts', async () => {
    const partyId = await bank.aParty()
    await mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`)
    expect(await bank.fact(`party/${partyId}`)).toMatchObject({
      status: 'deceased',
      deathRecordedAt: '2026-03-02T09:00:00.000Z',
    })
  })

  test('lets only the bank entitle the executor', async () => {
    const { partyId, grantee: executor, grant } = await aGrant('TRANSFER')
    await mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`)
    expect((await mutate(grant, { caller: aCaller({ partyId }) })).code).toBe('PARTY_DECEASED')
    expect((await mutate(grant)).errors).toEqual([])
    expect(await bank.fact(`entitlements-of/${executor}`)).toMatchObject({
      grants: [{ grantedAt: '2026-03-02T09:00:00.000Z' }],
    })
  })

  test('is later than an entitlement that the party grants at the same time', async () => {
    const { partyId, grantee, grant } = await aGrant('VIEW')
    const caller = aCaller({ partyId })
    interruptCommit(bank.bank, 'update parties.party', async () => {
      bank.clock.advance(1_000)
      expect((await mutate(grant, { caller })).errors).toEqual([])
      bank.clock.advance(1_000)
    })
    await mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`)
    const { deathRecordedAt } = (await bank.fact(`party/${partyId}`)) as any
    const { grants } = (await bank.fact(`entitlements-of/${grantee}`)) as any
    expect(Date.parse(deathRecordedAt) - Date.parse(grants[0].grantedAt)).toBe(1_000)
  })

  test('rejects an entitlement that the party was granting', async () => {
    const { partyId, grant } = await aGrant('VIEW')
    interruptCommit(bank.bank, 'insert into parties.entitlement', () =>
      mutate(`recordDeath(partyId: "${partyId}", diedOn: "2026-02-20") { status }`),
    )
    expect((await mutate(grant, { caller: aCaller({ partyId }) })).code).toBe('PARTY_DECEASED')
  })
})
