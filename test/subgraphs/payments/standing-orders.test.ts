import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { eventually } from '../../kit/eventually.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { pay, post } from './kit.ts'
import {
  aBankWithMoney,
  abroad,
  ada,
  findings,
  grace,
  inside,
  list,
  runOnce,
  standing,
  eventsOf,
  work,
} from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const fields = `standingOrderId state rail amount { amount } frequency startsOn endsOn maxExecutions retryDays
  executions nextOn attemptOn reasonCode debtorArrangement { arrangementId }`

const create = (more: object = {}, options: object = {}) =>
  bank.execute(
    `mutation ($input: CreateStandingOrderInput!) { order: createStandingOrder(input: $input) { ${fields} } }`,
    { input: inside({ frequency: 'MONTHLY', startsOn: '2026-03-02', ...more }) },
    options,
  )

const runOrderMutation = (name: string, id: string, options: object = {}) =>
  bank.execute(
    `mutation ($id: ID!) { order: ${name}StandingOrder(standingOrderId: $id) { ${fields} } }`,
    { id },
    options,
  )

const read = async (id: string, options: object = {}) =>
  bank.execute(
    `query ($id: ID!) { order: standingOrder(standingOrderId: $id) { ${fields} } }`,
    { id },
    options,
  )

const idOf = async (answer: ReturnType<typeof create>) => (await answer).data.order.standingOrderId
const paymentsOf = async (order: string) => (await list(bank, { order, first: 100 })).nodes

test('pays twelve times, each once with three workers, when a year passes at once', async () => {
  const id = await idOf(create({ startsOn: '2026-03-31', endsOn: '2027-03-02' }))
  const before = await standing(bank, 'arr_grace')
  bank.clock.set('2027-03-02T09:00:00Z')
  for (let done = 1; done > 0;) {
    const runs = [1, 2, 3].map(() => runOnce(bank, 'payments.execute-standing-orders'))
    done = (await Promise.all(runs)).reduce((sum, each) => sum + each)
  }
  const dates = (await paymentsOf(id)).map((payment: any) => payment.executionDate)
  expect(dates).toEqual([
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-30',
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
  ])
  expect((await standing(bank, 'arr_grace')).committed).toBe(before.committed + 12_000)
  expect((await read(id)).data.order).toMatchObject({
    state: 'COMPLETED',
    executions: 12,
    nextOn: null,
  })
  const types = await eventsOf(bank, `standing-order/${id}`)
  expect(types.filter((fact) => fact === 'executed')).toHaveLength(12)
  expect([types[0], types.at(-1)]).toEqual(['created', 'completed'])
})

test('pays the maximum number of times, also over an external rail', async () => {
  const input = { ...abroad(), creditorArrangementId: null }
  const start = { startsOn: '2027-03-08', frequency: 'WEEKLY', maxExecutions: 2 }
  const id = await idOf(create({ ...input, ...start }))
  bank.clock.set('2027-04-08T09:00:00Z')
  await runOnce(bank, 'payments.execute-standing-orders')
  await runOnce(bank, 'payments.execute-standing-orders')
  await runOnce(bank, 'payments.execute-standing-orders')
  const made = await paymentsOf(id)
  expect(made.map((each: any) => [each.executionDate, each.rail, each.state])).toEqual([
    ['2027-03-08', 'SCT', 'ACCEPTED'],
    ['2027-03-15', 'SCT', 'ACCEPTED'],
  ])
  expect((await standing(bank, 'arr_ada')).promised).toBe(2000)
})

describe('standing order without enough money', () => {
  const poor = { debtorArrangementId: 'arr_grace', creditorArrangementId: 'arr_ada' }
  const much = { ...poor, amount: { amount: '700.00', currency: 'EUR' } }

  test('is retried each day, and pays when the money has arrived', async () => {
    bank.clock.set('2027-05-03T09:00:00Z')
    const id = await idOf(create({ ...much, startsOn: '2027-05-03', maxExecutions: 1 }))
    await work(bank)
    const postponed = { nextOn: '2027-05-03', attemptOn: '2027-05-04', executions: 0 }
    const reason = { reasonCode: 'INSUFFICIENT_FUNDS', state: 'ACTIVE' }
    expect((await read(id)).data.order).toMatchObject({ ...postponed, ...reason })
    bank.clock.set('2027-05-04T09:00:00Z')
    await post(bank, pay('arr_grace', '900.00'))
    await work(bank)
    expect((await read(id)).data.order).toMatchObject({ executions: 1, state: 'COMPLETED' })
    expect((await paymentsOf(id)).map((each: any) => each.executionDate)).toEqual(['2027-05-03'])
    const facts = ['created', 'postponed', 'executed', 'completed']
    expect(await eventsOf(bank, `standing-order/${id}`)).toEqual(facts)
  })

  test('misses a date when its retry days are over, and continues with the next one', async () => {
    const terms = { startsOn: '2027-05-05', frequency: 'WEEKLY', retryDays: 1 }
    bank.clock.set('2027-05-05T09:00:00Z')
    const id = await idOf(create({ ...much, ...terms }))
    await work(bank)
    bank.clock.set('2027-05-06T09:00:00Z')
    await work(bank)
    const order = (await read(id)).data.order
    expect(order).toMatchObject({ nextOn: '2027-05-12', executions: 0, state: 'ACTIVE' })
    expect(await paymentsOf(id)).toEqual([])
    expect(await eventsOf(bank, `standing-order/${id}`)).toEqual(['created', 'postponed', 'missed'])
    await runOrderMutation('cancel', id)
  })
})

describe('standing order commands', () => {
  test('a pause skips what falls due during it', async () => {
    bank.clock.set('2027-06-01T09:00:00Z')
    const id = await idOf(create({ startsOn: '2027-06-02', frequency: 'QUARTERLY' }))
    expect((await runOrderMutation('pause', id)).data.order.state).toBe('PAUSED')
    bank.clock.set('2027-06-03T09:00:00Z')
    await work(bank)
    expect((await runOrderMutation('resume', id)).data.order).toMatchObject({
      state: 'ACTIVE',
      nextOn: '2027-09-02',
    })
    await work(bank)
    expect(await paymentsOf(id)).toEqual([])
    expect((await runOrderMutation('cancel', id)).data.order).toMatchObject({
      state: 'CANCELLED',
      nextOn: null,
    })
  })

  test('a pause during the execution prevents the payment, which is made on the same day after a resume', async () => {
    const id = await idOf(create({ startsOn: '2027-06-03', maxExecutions: 1 }))
    const pausing = await bank.bank.pool.connect()
    try {
      await pausing.query('begin')
      const sql =
        "update payments.standing_order set state = 'paused', version = version + 1 where standing_order_id = $1"
      await pausing.query(sql, [id])
      const paying = runOnce(bank, 'payments.execute-standing-orders')
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await eventually(async () => (await bank.rows(waits)).length > 0)
      await pausing.query('commit')
      await paying
    } finally {
      pausing.release()
    }
    expect(await paymentsOf(id)).toEqual([])
    expect((await runOrderMutation('resume', id)).data.order).toMatchObject({
      nextOn: '2027-06-03',
    })
    expect(await runOnce(bank, 'payments.execute-standing-orders')).toBe(1)
    expect((await read(id)).data.order).toMatchObject({ executions: 1, state: 'COMPLETED' })
  })

  const states = ['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED'] as const
  const allowed = { pause: ['ACTIVE'], resume: ['PAUSED'], cancel: ['ACTIVE', 'PAUSED'] }
  const cases = states.flatMap((state) =>
    Object.keys(allowed).map((name) => [name, state] as const),
  )
  test.each(cases)('%s in state %s is accepted or rejected', async (name, state) => {
    const id = await idOf(create({ startsOn: '2028-01-03' }))
    if (state === 'PAUSED') await runOrderMutation('pause', id)
    if (state === 'CANCELLED') await runOrderMutation('cancel', id)
    if (state === 'COMPLETED') {
      const sql = `update payments.standing_order set state = 'completed', next_on = null, attempt_on = null where standing_order_id = $1`
      await bank.rows(sql, [id])
    }
    const answer = await runOrderMutation(name, id)
    const isAllowed = allowed[name as keyof typeof allowed].includes(state)
    expect(answer.code).toBe(isAllowed ? undefined : 'INVALID_STATE_TRANSITION')
  })
})

test.each([
  ['an end before the start', { endsOn: '2027-06-01' }, 'INVALID_DATE_RANGE', '/endsOn'],
  ['a start in the past', { startsOn: '2027-06-02' }, 'EXECUTION_DATE_OUT_OF_RANGE', '/startsOn'],
  ['zero executions', { maxExecutions: 0 }, 'VALIDATION_FAILED', '/maxExecutions'],
  ['too many retry days', { retryDays: 11 }, 'VALIDATION_FAILED', '/retryDays'],
  [
    'a zero amount',
    { amount: { amount: '0', currency: 'EUR' } },
    'INVALID_AMOUNT',
    '/amount/amount',
  ],
])('rejects %s with a pointer to it', async (_what, more, code, pointer) => {
  bank.clock.set('2027-06-03T10:00:00Z')
  const answer = await create({ startsOn: '2027-06-04', ...more })
  expect(answer.code).toBe(code)
  expect(answer.errors[0]!.extensions!['errors']).toMatchObject([{ pointer }])
})

test('lets a delegated user see and change only their own standing orders', async () => {
  const mine = await create({ startsOn: '2027-06-09' }, { caller: ada, idempotencyKey: 'mine' })
  const again = await create({ startsOn: '2027-06-09' }, { caller: ada, idempotencyKey: 'mine' })
  expect(again.data).toEqual(mine.data)
  const id = mine.data.order.standingOrderId
  expect((await create({ startsOn: '2027-06-09' }, { caller: grace })).code).toBe(
    'ARRANGEMENT_NOT_FOUND',
  )
  expectAbsent(await read(id, { caller: grace }))
  for (const name of ['pause', 'resume', 'cancel']) {
    expect((await runOrderMutation(name, id, { caller: grace })).code).toBe(
      'STANDING_ORDER_NOT_FOUND',
    )
  }
  const all = 'query { standingOrders { nodes { debtorArrangement { arrangementId } } } }'
  const owners = async (caller: typeof ada) => {
    const { data } = await bank.execute(all, {}, { caller })
    const ids = data.standingOrders.nodes.map((node: any) => node.debtorArrangement.arrangementId)
    return [...new Set(ids)]
  }
  expect(await owners(grace)).toEqual(['arr_grace'])
  expect(await owners(ada)).toEqual(['arr_ada'])
})
