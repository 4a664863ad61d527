import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isIban } from '../../subgraphs/accounts/domain/iban.ts'
import {
  arrangementActs,
  arrangementStates,
  type ArrangementAct,
  type ArrangementState,
} from '../../subgraphs/accounts/domain/arrangement.ts'
import { factOf } from '../../subgraphs/accounts/events.ts'
import { accounts } from '../../subgraphs/accounts/index.ts'
import { everyScope } from '../../subgraphs/_kernel/scopes.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

let bank: RunningSubgraph
const start = '2026-03-02T09:00:00.000Z'

const publish = (subject: string, data: object) =>
  bank.rows(
    'insert into kernel.fact values ($1, 1, $2) on conflict (subject) do update set data = $2',
    [subject, data],
  )

function aCustomer(customerId: string, more: object = {}) {
  const partyId = customerId.replace('cus_', 'pty_')
  const good = { customerId, partyId, status: 'active', kycState: 'passed', kycExpiresOn: null }
  return publish(`customer/${customerId}`, { ...good, ...more })
}

function aProduct(productId: string, ...versions: object[]) {
  const good = {
    version: '2026.1',
    name: 'Everyday',
    productClass: 'current-account',
    status: 'active',
    isOpenable: true,
    currencies: ['EUR', 'USD'],
    effectiveFrom: null,
    effectiveTo: null,
    maxPerCustomer: null,
    parameters: [
      { name: 'overdraftLimit', type: 'amount', minimum: '0', maximum: '1000', default: null },
      { name: 'statementDay', type: 'integer', minimum: '1', maximum: '28', default: '1' },
    ],
  }
  return publish(`product/${productId}`, {
    productId,
    versions: versions.map((version) => ({ ...good, ...version })),
  })
}

beforeAll(async () => {
  bank = await aSubgraph(accounts, start)
  await aCustomer('cus_ada')
  await aCustomer('cus_grace')
  await aProduct('prd_current', {})
})
afterAll(() => bank.drop())

const ada = aCaller({ partyId: 'pty_ada' })
const grace = aCaller({ partyId: 'pty_grace' })

const open = `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) {
  arrangementId customerId partyId productId productVersion state openedAt currency accountNumber nickname
  overdraftLimit { amount currency } parameters product { productId version } customer { customerId } } }`

let serial = 0
const newId = () => `arr_${++serial}`
const content = (more: object = {}) => ({
  customerId: 'cus_ada',
  productId: 'prd_current',
  ...more,
})
const opening = (more: object = {}, options: object = {}) =>
  bank.execute(open, { input: content(more) }, options)

const told = async (arrangementId: string) =>
  (await bank.events()).filter(({ subject }) => subject === `arrangement/${arrangementId}`)

const counts = async () =>
  (
    await bank.rows(
      'select (select count(*) from accounts.arrangement)::int as rows, (select sum(open) from accounts.product_holding)::int as open',
    )
  )[0]

describe('opening', () => {
  test('a customer and a product are enough', async () => {
    const { data, errors } = await opening()
    expect(errors).toEqual([])
    const arrangement = data.openAccountArrangement
    expect(arrangement).toMatchObject({
      ...content(),
      partyId: 'pty_ada',
      productVersion: '2026.1',
      state: 'ACTIVE',
      openedAt: start,
      currency: 'EUR',
      nickname: null,
      overdraftLimit: { amount: '0.00', currency: 'EUR' },
      parameters: { statementDay: '1' },
      product: { productId: 'prd_current', version: '2026.1' },
      customer: { customerId: 'cus_ada' },
    })
    expect(arrangement.arrangementId).toMatch(/^arr_/)
    expect(isIban(arrangement.accountNumber)).toBe(true)
    const events = await told(arrangement.arrangementId)
    expect(events).toMatchObject([{ type: 'accounts.arrangement.opened', parties: ['pty_ada'] }])
    const fact = await bank.fact(`arrangement/${arrangement.arrangementId}`)
    expect(fact).toMatchObject({ state: 'active', partyId: 'pty_ada', currency: 'EUR' })
  })

  test('the same id with the same content is the same account; other content is refused', async () => {
    const arrangementId = newId()
    const first = await opening({ arrangementId })
    bank.clock.advance(1000)
    expect((await opening({ arrangementId, state: 'Active' })).data).toEqual(first.data)
    for (const other of [{ nickname: 'x' }, { customerId: 'cus_grace' }, { state: 'pending' }]) {
      expect((await opening({ arrangementId, ...other })).code).toBe('ARRANGEMENT_ALREADY_EXISTS')
    }
    expect(await told(arrangementId)).toHaveLength(1)
    bank.clock.set(start)
  })

  test('a repeated key opens once', async () => {
    const before = await counts()
    const first = await opening({}, { idempotencyKey: 'k-open' })
    const again = await opening({}, { idempotencyKey: 'k-open' })
    expect(again).toEqual({ ...first, isReplayed: true })
    expect((await counts())!['rows']).toBe(before!['rows'] + 1)
  })

  test('eight that are sent at once under one id open one', async () => {
    const arrangementId = newId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => opening({ arrangementId })))
    expect(
      new Set(answers.map(({ data }) => data?.openAccountArrangement.accountNumber)).size,
    ).toBe(1)
    expect(await told(arrangementId)).toHaveLength(1)
  })

  const refusals: [string, object, string, string, (() => Promise<unknown>)?][] = [
    ['an unknown customer', { customerId: 'cus_none' }, 'CUSTOMER_NOT_FOUND', '/customerId'],
    ['an unknown product', { productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/productId'],
    ['an unknown version', { productVersion: 'none' }, 'PRODUCT_NOT_FOUND', '/productVersion'],
    [
      'a suspended customer',
      { customerId: 'cus_x' },
      'CUSTOMER_NOT_ACTIVE',
      '/customerId',
      () => aCustomer('cus_x', { status: 'suspended' }),
    ],
    [
      'a customer nobody checked',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycState: 'in-progress' }),
    ],
    [
      'a check that is too old',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycExpiresOn: '2026-03-01' }),
    ],
    [
      'a draft',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { status: 'draft' }),
    ],
    [
      'a product before its time',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveFrom: '2026-03-03' }),
    ],
    [
      'a product after its time',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveTo: '2026-03-01' }),
    ],
    [
      'a superseded version',
      { productId: 'prd_x', productVersion: 'a' },
      'PRODUCT_NOT_ACTIVE',
      '/productVersion',
      () => aProduct('prd_x', { version: 'a', status: 'superseded' }, { version: 'b' }),
    ],
    [
      'a class that is only catalogued',
      { productId: 'prd_x' },
      'PRODUCT_CLASS_NOT_OPENABLE',
      '/productId',
      () => aProduct('prd_x', { isOpenable: false }),
    ],
    ['a currency', { currency: 'JPY' }, 'CURRENCY_NOT_OFFERED', '/currency'],
    [
      'a parameter',
      { parameters: { statementDay: 29 } },
      'PARAMETER_OUT_OF_RANGE',
      '/parameters/statementDay',
    ],
    [
      'an overdraft above the bounds',
      { overdraftLimit: { amount: '1000.01', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'an overdraft below nothing',
      { overdraftLimit: { amount: '-1', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'an overdraft in another currency',
      { overdraftLimit: { amount: '1', currency: 'USD' } },
      'CURRENCY_MISMATCH',
      '/overdraftLimit/currency',
    ],
    ['a state it cannot start in', { state: 'closed' }, 'INVALID_INITIAL_STATUS', '/state'],
    ['a time to come', { openedAt: '2026-03-02T09:01:01Z' }, 'OPENED_AT_IN_FUTURE', '/openedAt'],
    [
      'a time too far back',
      { openedAt: '2026-01-31T08:59:59Z' },
      'BACKDATE_NOT_ALLOWED',
      '/openedAt',
    ],
  ]
  test.each(refusals)('%s is refused', async (_what, more, code, pointer, arrange) => {
    await arrange?.()
    const before = [await counts(), await bank.events()]
    const answer = await opening(more)
    expect(answer.code).toBe(code)
    expect(answer.errors[0]!.extensions).toMatchObject({ errors: [{ pointer, code }] })
    expect([await counts(), await bank.events()]).toEqual(before)
  })

  test('a customer and a product are good on their last day', async () => {
    await aCustomer('cus_x', { kycExpiresOn: '2026-03-02' })
    await aProduct('prd_x', { effectiveFrom: '2026-03-02', effectiveTo: '2026-03-02' })
    expect((await opening({ customerId: 'cus_x', productId: 'prd_x' })).errors).toEqual([])
  })

  test('the past needs a scope, the last minute does not', async () => {
    const caller = aCaller({ scopes: everyScope.filter((scope) => scope !== 'accounts:backdate') })
    const yesterday = '2026-03-01T09:00:00.000Z'
    expect((await opening({ openedAt: yesterday }, { caller })).code).toBe('BACKDATE_NOT_ALLOWED')
    const allowed = await opening({ openedAt: yesterday })
    expect(allowed.data.openAccountArrangement.openedAt).toBe(yesterday)
    const openedAt = '2026-03-02T08:59:30.000Z'
    expect((await opening({ openedAt }, { caller })).data.openAccountArrangement.openedAt).toBe(
      openedAt,
    )
  })

  test('an account stays on the version it was opened under', async () => {
    await aProduct('prd_v', { version: '2026.9' })
    const { data } = await opening({ productId: 'prd_v' })
    await aProduct('prd_v', { version: '2026.9', status: 'superseded' }, { version: '2026.10' })
    const read = 'query ($id: ID!) { accountArrangement(arrangementId: $id) { productVersion } }'
    const id = data.openAccountArrangement.arrangementId
    expect((await bank.execute(read, { id })).data.accountArrangement.productVersion).toBe('2026.9')
    const next = await opening({ productId: 'prd_v' })
    expect(next.data.openAccountArrangement.productVersion).toBe('2026.10')
  })
})

describe('the limit per customer', () => {
  test('of many that want the last place at once exactly one gets it', async () => {
    await aProduct('prd_few', { maxPerCustomer: 3 })
    const few = { productId: 'prd_few' }
    await opening(few)
    await opening(few)
    const answers = await Promise.all(Array.from({ length: 12 }, () => opening(few)))
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    const codes = new Set(answers.map(({ code }) => code))
    expect(codes).toEqual(new Set([undefined, 'ARRANGEMENT_LIMIT_REACHED']))
    expect(
      await bank.rows(
        "select count(*)::int as n from accounts.arrangement where product_id = 'prd_few'",
      ),
    ).toEqual([{ n: 3 }])
    expect((await opening({ ...few, customerId: 'cus_grace' })).errors).toEqual([])
  })

  test('many without a limit all get one, and an ended one makes room', async () => {
    await aProduct('prd_many', {})
    const many = await Promise.all(
      Array.from({ length: 20 }, () => opening({ productId: 'prd_many' })),
    )
    expect(many.flatMap(({ errors }) => errors)).toEqual([])
    await aProduct('prd_one', { maxPerCustomer: 1 })
    for (const end of ['rejectAccountArrangement', 'cancelAccountArrangement']) {
      const { data } = await opening({ productId: 'prd_one', state: 'pending' })
      expect((await opening({ productId: 'prd_one' })).code).toBe('ARRANGEMENT_LIMIT_REACHED')
      await bank.execute(`mutation ($id: ID!) { ${end}(arrangementId: $id) { state } }`, {
        id: data.openAccountArrangement.arrangementId,
      })
    }
    expect((await opening({ productId: 'prd_one' })).errors).toEqual([])
  })
})

const mutationOf: Record<ArrangementAct, string> = {
  activate: 'activateAccountArrangement(arrangementId: $id)',
  reject: 'rejectAccountArrangement(arrangementId: $id, reason: "no")',
  cancel: 'cancelAccountArrangement(arrangementId: $id)',
  block: 'blockAccountArrangement(arrangementId: $id, kind: DEBIT, reason: "lost card")',
  unblock: 'unblockAccountArrangement(arrangementId: $id)',
  markDormant: 'markAccountArrangementDormant(arrangementId: $id)',
  reactivate: 'reactivateAccountArrangement(arrangementId: $id)',
  requestClosure: 'requestAccountArrangementClosure(arrangementId: $id)',
  cancelClosure: 'cancelAccountArrangementClosure(arrangementId: $id)',
  close: 'closeAccountArrangement(arrangementId: $id)',
}
const paths: Record<ArrangementState, ArrangementAct[]> = {
  pending: [],
  active: ['activate'],
  blocked: ['activate', 'block'],
  dormant: ['activate', 'markDormant'],
  'pending-closure': ['activate', 'requestClosure'],
  closed: ['activate', 'requestClosure', 'close'],
  rejected: ['reject'],
  cancelled: ['cancel'],
}

const does = (act: ArrangementAct, id: string, caller = aCaller()) =>
  bank.execute(
    `mutation ($id: ID!) { act: ${mutationOf[act]} { state stateReason blockedFor closedAt } }`,
    { id },
    { caller },
  )

async function arrangementIn(state: ArrangementState): Promise<string> {
  const { data } = await opening({ state: 'pending' })
  const id = data.openAccountArrangement.arrangementId as string
  for (const act of paths[state]) expect((await does(act, id)).errors).toEqual([])
  return id
}

describe('moves', () => {
  for (const state of arrangementStates) {
    for (const act of Object.keys(arrangementActs) as ArrangementAct[]) {
      const { from, to }: { from: readonly ArrangementState[]; to: ArrangementState } =
        arrangementActs[act]
      const isLegal = from.includes(state)
      test(`${act} on ${state} is ${isLegal ? to : 'refused'}`, async () => {
        const id = await arrangementIn(state)
        const row = async () =>
          (
            await bank.rows('select * from accounts.arrangement where arrangement_id = $1', [id])
          )[0]!
        const before = {
          row: await row(),
          told: await told(id),
          counts: await counts(),
          fact: await bank.fact(`arrangement/${id}`),
        }
        const answer = await does(act, id)
        const events = await told(id)
        if (isLegal) {
          expect(answer.errors).toEqual([])
          expect((await row())['state']).toBe(to)
          expect((await row())['version']).toBe(before.row['version'] + 1)
          expect(events.slice(before.told.length)).toMatchObject([
            { type: `accounts.arrangement.${factOf[act]}` },
          ])
          expect(await bank.fact(`arrangement/${id}`)).toMatchObject({ state: to })
          const ended = ['closed', 'rejected', 'cancelled'].includes(to) ? 1 : 0
          expect((await counts())!['open']).toBe(before.counts!['open'] - ended)
        } else {
          expect(answer.code).toBe('INVALID_STATE_TRANSITION')
          expect(answer.errors[0]!.extensions).toMatchObject({
            currentState: state,
            resourceId: id,
          })
          expect(answer.errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect({
            row: await row(),
            told: events,
            counts: await counts(),
            fact: await bank.fact(`arrangement/${id}`),
          }).toEqual(before)
        }
      })
    }
  }

  test('a block says what it stops and why, until it is lifted', async () => {
    const id = await arrangementIn('active')
    const blocked = (await does('block', id)).data.act
    expect(blocked).toMatchObject({ blockedFor: 'DEBIT', stateReason: 'lost card' })
    expect(await bank.fact(`arrangement/${id}`)).toMatchObject({ blockedFor: 'debit' })
    expect((await does('unblock', id)).data.act).toMatchObject({
      blockedFor: null,
      stateReason: null,
    })
  })

  test('of two opposite moves at once one happens', async () => {
    const id = await arrangementIn('pending')
    const answers = await Promise.all([
      does('activate', id),
      does('reject', id),
      does('cancel', id),
    ])
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    expect(await told(id)).toHaveLength(2)
  })

  test('an account nobody has is not found', async () => {
    expect((await does('activate', 'arr_none')).code).toBe('ARRANGEMENT_NOT_FOUND')
  })
})

describe('a delegated user', () => {
  test('opens accounts of their own, without an overdraft', async () => {
    expect((await opening({}, { caller: ada })).errors).toEqual([])
    expect((await opening({}, { caller: grace })).code).toBe('CUSTOMER_NOT_FOUND')
    const overdraftLimit = { amount: '1.00', currency: 'EUR' }
    expect((await opening({ overdraftLimit }, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await opening({ overdraftLimit })).errors).toEqual([])
  })

  test('moves only what is theirs, and only as a customer may', async () => {
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

  test('sees their own in every way there is, and nobody else’s', async () => {
    const id = await arrangementIn('active')
    const read = 'query ($id: ID!) { accountArrangement(arrangementId: $id) { arrangementId } }'
    expect((await bank.execute(read, { id }, { caller: ada })).errors).toEqual([])
    expect((await bank.execute(read, { id }, { caller: grace })).code).toBe('ARRANGEMENT_NOT_FOUND')
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
      expect(customer.accounts.length).toBeGreaterThan(1)
      expect(party.accounts).toEqual(customer.accounts)
    }
    const caller = aCaller({ scopes: ['parties:read'] })
    const refused = await bank.execute(entities, { keys }, { caller })
    expect(refused.errors.map(({ extensions }) => extensions!['code'])).toEqual(
      Array(3).fill('INSUFFICIENT_SCOPE'),
    )
  })
})

describe('lists', () => {
  test('pages in the order of opening leave nothing out, also of one instant', async () => {
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
    expect([await inState('ACTIVE'), await inState('closed'), await inState('bogus')]).toEqual([
      2, 0, 0,
    ])
  })

  test('a page has at most 1,000 accounts', async () => {
    const list =
      'query ($first: Int) { accountArrangements(first: $first) { pageInfo { pageSize } } }'
    expect((await bank.execute(list, { first: 1000 })).errors).toEqual([])
    for (const first of [0, 1001]) {
      expect((await bank.execute(list, { first })).code).toBe('PAGE_SIZE_INVALID')
    }
  })
})
