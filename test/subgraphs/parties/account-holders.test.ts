import { afterAll, beforeAll, expect, test } from 'vitest'
import { RowSecurity } from '../../../kernel/authorization/row-security.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import { aPartiesBank, unique, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

const olga = aCaller({ subject: 'olga' })

async function anAccount(lifecycle = 'open') {
  const owner = await bank.aParty()
  const arrangementId = unique('arr')
  const fact = { arrangementId, partyId: owner, currency: 'EUR', lifecycle }
  await bank.rows('insert into kernel.fact values ($1, 1, $2)', [
    `arrangement/${arrangementId}`,
    fact,
  ])
  return { owner, arrangementId }
}

const add = (arrangementId: string, partyId: string, caller = employee) =>
  bank.execute(
    `mutation ($input: AddAccountHolderInput!) { holder: addAccountHolder(input: $input) {
      entitlementId right status isHolder grantorPartyId granteePartyId } }`,
    { input: { arrangementId, partyId } },
    { caller },
  )

const change = (name: string, id: string, caller = employee) =>
  bank.execute(
    `mutation ($id: ID!) { holder: ${name}(entitlementId: $id) { status removalProposedAt } }`,
    { id },
    { caller },
  )

const holdersOf = async (arrangementId: string, caller = employee) => {
  const { data } = await bank.execute(
    `query ($refs: [_Any!]!) { _entities(representations: $refs) {
      ... on AccountArrangement { holders { entitlementId partyId party { displayName } } } } }`,
    { refs: [{ __typename: 'AccountArrangement', arrangementId }] },
    { caller },
  )
  return data._entities[0].holders
}

async function aHolder() {
  const account = await anAccount()
  const holder = await bank.aParty()
  const { data, errors } = await add(account.arrangementId, holder)
  expect(errors).toEqual([])
  return { ...account, holder, id: data.holder.entitlementId as string, added: data.holder }
}

test('a holder gets all rights, and is shown to the customer and the holders only', async () => {
  const { owner, arrangementId, holder, id, added } = await aHolder()
  expect(added).toEqual({
    entitlementId: id,
    right: 'MANAGE',
    status: 'ACTIVE',
    isHolder: true,
    grantorPartyId: owner,
    granteePartyId: holder,
  })
  expect(await bank.fact(`account-holders/${arrangementId}`)).toEqual({ partyIds: [holder] })
  expect(await bank.fact(`entitlements-of/${holder}`)).toMatchObject({
    grants: [{ resource: `arrangement/${arrangementId}`, right: 'manage', isHolder: true }],
  })
  const named = [{ entitlementId: id, partyId: holder, party: { displayName: 'Ada Lovelace' } }]
  expect(await holdersOf(arrangementId)).toEqual(named)
  expect(await holdersOf(arrangementId, aCaller({ partyId: holder }))).toEqual(named)
  const unnamed = [{ entitlementId: id, partyId: holder, party: null }]
  expect(await holdersOf(arrangementId, aCaller({ partyId: owner }))).toEqual(unnamed)
  const stranger = aCaller({ partyId: await bank.aParty() })
  expect(await holdersOf(arrangementId, stranger)).toEqual([])
})

test('with row-level security, the customer and all holders of an account see all its holders', async () => {
  const { owner, arrangementId, holder: first, id } = await aHolder()
  const second = await bank.aParty()
  const added = await add(arrangementId, second)
  const ids = [id, added.data.holder.entitlementId as string]
  const { holder: stranger } = await aHolder()
  const rowSecurity = (await RowSecurity.open(bank.bank, bank.bank.log))!
  const rows = ids.map((entitlementId) => ({ entitlementId }))
  const visibleTo = (partyId: string) => rowSecurity.keepVisible(partyId, 'entitlement', rows)
  bank.bank.rowSecurity = rowSecurity
  try {
    for (const partyId of [owner, first, second]) {
      const seen = await holdersOf(arrangementId, aCaller({ partyId }))
      expect(seen.map((each: any) => each.entitlementId)).toEqual(ids)
      expect(await visibleTo(partyId)).toEqual(rows)
    }
    expect(await holdersOf(arrangementId, aCaller({ partyId: stranger }))).toEqual([])
    expect(await visibleTo(stranger)).toEqual([])
  } finally {
    bank.bank.rowSecurity = null
  }
})

test('nobody but the bank adds holders, and a party is added once', async () => {
  const { owner, arrangementId, holder } = await aHolder()
  const asOwner = await add(arrangementId, holder, aCaller({ partyId: owner }))
  expect(asOwner.code).toBeDefined()
  expect((await add(arrangementId, holder)).code).toBe('ACCOUNT_HOLDER')
  expect((await add(arrangementId, owner)).code).toBe('VALIDATION_FAILED')
  expect((await add(arrangementId, 'pty_none')).code).toBe('PARTY_NOT_FOUND')
  expect((await add('arr_none', holder)).code).toBe('ARRANGEMENT_NOT_FOUND')
  const closed = await anAccount('ended')
  expect((await add(closed.arrangementId, holder)).code).toBe('STATE_CONFLICT')
})

test('of two holders added at the same time, both are published', async () => {
  const { arrangementId } = await anAccount()
  const holders = [await bank.aParty(), await bank.aParty()]
  const added = await Promise.all(holders.map((each) => add(arrangementId, each)))
  expect(added.map(({ code }) => code)).toEqual([undefined, undefined])
  const fact = await bank.fact(`account-holders/${arrangementId}`)
  expect((fact!['partyIds'] as string[]).toSorted()).toEqual(holders.toSorted())
})

test('a holder is removed by two persons, and by nobody else', async () => {
  const { owner, arrangementId, holder, id } = await aHolder()
  for (const partyId of [owner, holder]) {
    const revoked = await change('revokeEntitlement', id, aCaller({ partyId }))
    expect(revoked.code).toBe('ACCOUNT_HOLDER')
    const proposed = await change('proposeAccountHolderRemoval', id, aCaller({ partyId }))
    expect(proposed.code).toBe('NOT_FOR_DELEGATED_USERS')
  }
  expect((await change('revokeEntitlement', id)).code).toBe('ACCOUNT_HOLDER')
  expect((await change('approveAccountHolderRemoval', id, olga)).code).toBe('STATE_CONFLICT')
  const proposed = await change('proposeAccountHolderRemoval', id)
  expect(proposed.data.holder).toMatchObject({ status: 'ACTIVE' })
  expect(proposed.data.holder.removalProposedAt).not.toBeNull()
  expect(await holdersOf(arrangementId)).toHaveLength(1)
  expect((await change('approveAccountHolderRemoval', id)).code).toBe('SEGREGATION_OF_DUTIES')
  await change('rejectAccountHolderRemoval', id, olga)
  expect((await change('approveAccountHolderRemoval', id, olga)).code).toBe('STATE_CONFLICT')
  await change('proposeAccountHolderRemoval', id)
  const removed = await change('approveAccountHolderRemoval', id, olga)
  expect(removed.data.holder.status).toBe('REVOKED')
  expect(await holdersOf(arrangementId)).toEqual([])
  expect(await bank.fact(`account-holders/${arrangementId}`)).toEqual({ partyIds: [] })
  expect(await bank.fact(`entitlements-of/${holder}`)).toEqual({ grants: [] })
  expect(await bank.eventsOf(`entitlement/${id}`)).toEqual([
    'entitlements.entitlement.granted',
    'entitlements.entitlement.removal-proposed',
    'entitlements.entitlement.removal-rejected',
    'entitlements.entitlement.removal-proposed',
    'entitlements.entitlement.holder-removed',
  ])
})

test('an entitlement that the customer granted is not that of a holder', async () => {
  const { owner, arrangementId } = await anAccount()
  const input = {
    grantorPartyId: owner,
    granteePartyId: await bank.aParty(),
    resource: `arrangement/${arrangementId}`,
    right: 'MANAGE',
  }
  const granted = await bank.execute(
    `mutation ($input: GrantEntitlementInput!) {
      holder: grantEntitlement(input: $input) { entitlementId isHolder } }`,
    { input },
  )
  const { entitlementId, isHolder } = granted.data.holder
  expect(isHolder).toBe(false)
  expect(await holdersOf(arrangementId)).toEqual([])
  const proposed = await change('proposeAccountHolderRemoval', entitlementId)
  expect(proposed.code).toBe('NOT_AN_ACCOUNT_HOLDER')
  expect((await change('revokeEntitlement', entitlementId)).code).toBeUndefined()
})

test('the relationship with a holder cannot end before the holder is removed', async () => {
  const { holder, arrangementId } = await aHolder()
  const { errors } = await bank.execute(`mutation { closeParty(partyId: "${holder}") { status } }`)
  expect(errors[0]!.extensions).toMatchObject({
    code: 'RELATION_NOT_SETTLED',
    errors: [{ code: 'ACCOUNT_HOLDER', resourceId: arrangementId }],
  })
})
