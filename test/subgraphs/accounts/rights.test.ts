import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { openBank, aProduct, ada, arrangementIn, bank, does, grace, opening } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Accounts for a delegated user', () => {
  test('permits opening for their own customer only, without an overdraft', async () => {
    expect((await opening({}, { caller: ada })).errors).toEqual([])
    expect((await opening({}, { caller: grace })).code).toBe('CUSTOMER_NOT_FOUND')
    const overdraftLimit = { amount: '1.00', currency: 'EUR' }
    expect((await opening({ overdraftLimit }, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await opening({ overdraftLimit })).errors).toEqual([])
  })

  test('permits the transitions of a customer on their own accounts only', async () => {
    const pending = await arrangementIn('pending')
    expect((await does('cancel', pending, grace)).code).toBe('ARRANGEMENT_NOT_FOUND')
    for (const act of [
      'activate',
      'reject',
      'block',
      'unblock',
      'markDormant',
      'reactivate',
      'close',
    ] as const) {
      expect((await does(act, pending, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    expect((await does('cancel', pending, ada)).errors).toEqual([])
    const active = await arrangementIn('active')
    expect((await does('requestClosure', active, ada)).errors).toEqual([])
    expect((await does('cancelClosure', active, ada)).errors).toEqual([])
  })

  test('denies requesting the closure of a dormant account', async () => {
    const dormant = await arrangementIn('dormant')
    expect((await does('requestClosure', dormant, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await does('requestClosure', dormant, grace)).code).toBe('ARRANGEMENT_NOT_FOUND')
    expect((await does('requestClosure', dormant)).errors).toEqual([])
  })

  test('finds only their own account by its IBAN, in any notation', async () => {
    const id = await arrangementIn('active')
    const own = '{ accountArrangement(arrangementId: "' + id + '") { accountNumber } }'
    const { accountNumber } = (await bank.execute(own)).data.accountArrangement
    const finding =
      'query ($iban: Label) { accountArrangements(accountNumber: $iban) { nodes { arrangementId } } }'
    const found = async (iban: string, caller = aCaller()) =>
      (await bank.execute(finding, { iban }, { caller })).data.accountArrangements.nodes
    const spaced = accountNumber
      .toLowerCase()
      .replaceAll(/(.{4})/g, '$1 ')
      .trim()
    for (const iban of [accountNumber, spaced]) {
      expect(await found(iban)).toEqual([{ arrangementId: id }])
      expect(await found(iban, ada)).toEqual([{ arrangementId: id }])
      expect(await found(iban, grace)).toEqual([])
    }
    expect(await found(`${accountNumber}0`)).toEqual([])
  })

  test('shows only their own accounts, by id, in lists and as entities', async () => {
    const id = await arrangementIn('active')
    await opening({ customerId: 'cus_grace' })
    const read = 'query ($id: ID!) { accountArrangement(arrangementId: $id) { arrangementId } }'
    expect((await bank.execute(read, { id }, { caller: ada })).errors).toEqual([])
    expectAbsent(await bank.execute(read, { id }, { caller: grace }))
    const list =
      'query ($c: ID) { accountArrangements(customerId: $c, first: 1000) { nodes { customerId } } }'
    const owners = async (caller: ReturnType<typeof aCaller>, c?: string) => {
      const { data } = await bank.execute(list, { c }, { caller })
      return [...new Set(data.accountArrangements.nodes.map((node: any) => node.customerId))]
    }
    expect(await owners(grace)).toEqual(['cus_grace'])
    expect(await owners(grace, 'cus_ada')).toEqual([])
    const entities = `query ($keys: [_Any!]!) { _entities(representations: $keys) {
      ... on AccountArrangement { customerId } ... on Customer { accounts { customerId } } ... on Party { accounts { customerId } } } }`
    const keys = [
      { __typename: 'AccountArrangement', arrangementId: id },
      { __typename: 'Customer', customerId: 'cus_ada' },
      { __typename: 'Party', partyId: 'pty_ada' },
    ]
    const seen = async (caller: ReturnType<typeof aCaller>) =>
      (await bank.execute(entities, { keys }, { caller })).data._entities
    expect(await seen(grace)).toEqual([null, { accounts: [] }, { accounts: [] }])
    for (const caller of [ada, aCaller()]) {
      const [one, customer, party] = await seen(caller)
      expect(one).toEqual({ customerId: 'cus_ada' })
      expect(customer.accounts.length).toBeGreaterThan(0)
      expect(party.accounts).toEqual(customer.accounts)
    }
    const caller = aCaller({ scopes: ['parties:read'] })
    const refused = await bank.execute(entities, { keys }, { caller })
    expect(refused.errors.map(({ extensions }) => extensions!['code'])).toEqual(
      Array(3).fill('INSUFFICIENT_SCOPE'),
    )
  })
})

describe('Lists of accounts', () => {
  test('returns pages in the order of opening without gaps, including equal times', async () => {
    await aProduct('prd_pages', {})
    const ids = ['p_3', 'p_1', 'p_2', 'p_0', 'p_4']
    for (const arrangementId of ids) {
      const openedAt = arrangementId === 'p_4' ? '2026-02-20T00:00:00Z' : '2026-02-21T00:00:00Z'
      await opening({ productId: 'prd_pages', arrangementId, openedAt })
    }
    const list = `query ($after: String, $state: String) { accountArrangements(productId: "prd_pages", state: $state, first: 2, after: $after) {
      nodes { arrangementId } edges { cursor } pageInfo { hasNextPage endCursor } } }`
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const page: any = (await bank.execute(list, { after })).data.accountArrangements
      seen.push(...page.nodes.map(({ arrangementId }: any) => arrangementId))
      expect(page.edges.at(-1).cursor.length).toBeGreaterThan(20)
      ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
    }
    expect(seen).toEqual(['p_4', 'p_0', 'p_1', 'p_2', 'p_3'])
    const inState = async (state: string) =>
      (await bank.execute(list, { state })).data.accountArrangements.nodes.length
    expect([await inState('ACTIVE'), await inState('closed')]).toEqual([2, 0])
    expect((await bank.execute(list, { state: 'bogus' })).code).toBe('VALIDATION_FAILED')
  })

  test('limits a page to 1,000 accounts', async () => {
    const list =
      'query ($first: Int) { accountArrangements(first: $first) { pageInfo { pageSize } } }'
    expect((await bank.execute(list, { first: 1000 })).errors).toEqual([])
    for (const first of [0, 1001]) {
      expect((await bank.execute(list, { first })).code).toBe('PAGE_SIZE_INVALID')
    }
  })
})
