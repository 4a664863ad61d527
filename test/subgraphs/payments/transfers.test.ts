import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  aBankWithMoney,
  abroad,
  ada,
  cancel,
  findings,
  grace,
  gracesIban,
  inside,
  list,
  outside,
  paymentOf,
  runOnce,
  standing,
  eventsOf,
  transfer,
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

describe('internal transfer', () => {
  test('settles at once, by account id or IBAN, and once per idempotency key', async () => {
    const before = await standing(bank, 'arr_grace')
    const options = { idempotencyKey: 'once', caller: ada }
    const paid = await transfer(bank, inside({ remittanceInformation: 'Lunch' }), options)
    expect(paid.data.payment).toMatchObject({
      direction: 'OUT',
      rail: 'INTERNAL',
      isSimulated: false,
      state: 'SETTLED',
      executionDate: '2026-03-02',
      debtorArrangement: { arrangementId: 'arr_ada' },
      creditorArrangement: null,
      remittanceInformation: 'Lunch',
    })
    const again = await transfer(bank, inside({ remittanceInformation: 'Lunch' }), options)
    expect(again.data).toEqual(paid.data)
    expect(again.isReplayed).toBe(true)
    const spelled = `${gracesIban.slice(0, 4).toLowerCase()} ${gracesIban.slice(4)}`
    await transfer(bank, inside({ creditorArrangementId: null, creditorIban: spelled }))
    expect((await standing(bank, 'arr_grace')).committed).toBe(before.committed + 2000)
    const { paymentId } = paid.data.payment
    expect(await eventsOf(bank, `payment/${paymentId}`)).toEqual(['created', 'settled'])
    const [posting] = await bank.rows(
      'select details from ledger.posting_instruction where client_transaction_id = $1',
      [paymentId],
    )
    expect(JSON.stringify(posting)).toContain('Lunch')
  })

  test('is rejected without enough money, and not stored', async () => {
    const payments = (await list(bank)).nodes.length
    const amount = { amount: '5000.00', currency: 'EUR' }
    expect((await transfer(bank, inside({ amount }))).code).toBe('INSUFFICIENT_FUNDS')
    expect((await list(bank)).nodes).toHaveLength(payments)
  })

  test('is created once per payment id, and rejected with other content', async () => {
    const first = await transfer(bank, inside({ paymentId: 'pay_mine' }))
    expect((await transfer(bank, inside({ paymentId: 'pay_mine' }))).data).toEqual(first.data)
    const other = inside({ paymentId: 'pay_mine', endToEndId: 'other' })
    expect((await transfer(bank, other)).code).toBe('RESOURCE_EXISTS')
    const notMine = await transfer(bank, inside({ paymentId: 'pay_mine' }), { caller: grace })
    expect(notMine.code).toBe('RESOURCE_EXISTS')
  })
})

describe('transfer input', () => {
  const byIban = (creditorIban: string) => abroad({ creditorIban })
  const amount = (value: string, currency = 'EUR') => ({ amount: { amount: value, currency } })
  test.each([
    [
      'an unknown debtor account',
      inside({ debtorArrangementId: 'arr_x' }),
      'ARRANGEMENT_NOT_FOUND',
      '/debtorArrangementId',
    ],
    [
      'an unknown creditor account',
      inside({ creditorArrangementId: 'arr_x' }),
      'ARRANGEMENT_NOT_FOUND',
      '/creditorArrangementId',
    ],
    [
      'two creditor accounts',
      inside({ creditorIban: outside }),
      'VALIDATION_FAILED',
      '/creditorIban',
    ],
    [
      'no creditor',
      inside({ creditorArrangementId: null }),
      'VALIDATION_FAILED',
      '/creditorArrangementId',
    ],
    [
      'an IBAN with wrong check digits',
      byIban('DE88370400440532013000'),
      'INVALID_IBAN',
      '/creditorIban',
    ],
    [
      'an unknown IBAN of this bank',
      byIban('NL55BKGR0000000003'),
      'ACCOUNT_NUMBER_NOT_FOUND',
      '/creditorIban',
    ],
    [
      'a country that cannot be reached',
      byIban('TR330006100519786457841326'),
      'DESTINATION_NOT_REACHABLE',
      '/creditorIban',
    ],
    [
      'an IBAN of a wrong length',
      byIban('DE22370400440532'),
      'DESTINATION_NOT_REACHABLE',
      '/creditorIban',
    ],
    [
      'an external creditor without a name',
      abroad({ creditorName: null }),
      'VALIDATION_FAILED',
      '/creditorName',
    ],
    ['a zero amount', inside(amount('0.00')), 'INVALID_AMOUNT', '/amount/amount'],
    ['a negative amount', inside(amount('-1.00')), 'INVALID_AMOUNT', '/amount/amount'],
    ['fractions of a cent', inside(amount('0.003')), 'VALIDATION_FAILED', '/amount/amount'],
    ['another currency', inside(amount('1.00', 'USD')), 'CURRENCY_MISMATCH', '/amount/currency'],
    [
      'the same account twice',
      inside({ creditorArrangementId: 'arr_ada' }),
      'SAME_ACCOUNT',
      '/creditorArrangementId',
    ],
    [
      'an execution date in the past',
      inside({ executionDate: '2026-03-01' }),
      'EXECUTION_DATE_OUT_OF_RANGE',
      '/executionDate',
    ],
    [
      'an execution date in two years',
      inside({ executionDate: '2028-03-01' }),
      'EXECUTION_DATE_OUT_OF_RANGE',
      '/executionDate',
    ],
    [
      'remittance information that is too long',
      inside({ remittanceInformation: '🎉'.repeat(141) }),
      'VALIDATION_FAILED',
      '/remittanceInformation',
    ],
  ])('rejects %s with a pointer to it', async (_what, input, code, pointer) => {
    const answer = await transfer(bank, input)
    expect(answer.code).toBe(code)
    expect(answer.errors[0]!.extensions!['errors']).toMatchObject([{ pointer }])
  })

  test('counts the characters of remittance information, and not their bytes', async () => {
    const accepted = await transfer(bank, inside({ remittanceInformation: '🎉'.repeat(140) }))
    expect(accepted.code).toBeUndefined()
    const { errors } = await transfer(bank, inside({ remittanceInformation: '🎉'.repeat(141) }))
    expect(errors[0]!.message).toContain('has 141 characters; the maximum is 140')
  })
})

describe('scheduled transfer', () => {
  test('is executed on its day, once with three workers', async () => {
    const { data } = await transfer(bank, inside({ executionDate: '2026-03-04' }))
    const { paymentId, state } = data.payment
    expect(state).toBe('SCHEDULED')
    bank.clock.set('2026-03-03T23:59:59Z')
    await work(bank)
    expect((await paymentOf(bank, paymentId)).data.payment.state).toBe('SCHEDULED')
    bank.clock.set('2026-03-04T00:00:00Z')
    const before = await standing(bank, 'arr_grace')
    const run = () => runOnce(bank, 'payments.execute-scheduled')
    const done = await Promise.all([run(), run(), run()])
    expect(done.reduce((sum, each) => sum + each)).toBe(1)
    expect((await paymentOf(bank, paymentId)).data.payment.state).toBe('SETTLED')
    expect((await standing(bank, 'arr_grace')).committed).toBe(before.committed + 1000)
    expect(await eventsOf(bank, `payment/${paymentId}`)).toEqual(['created', 'settled'])
  })

  test('is rejected with the reason without enough money', async () => {
    const amount = { amount: '9000.00', currency: 'EUR' }
    const { data } = await transfer(bank, inside({ amount, executionDate: '2026-03-05' }))
    bank.clock.set('2026-03-05T06:00:00Z')
    await work(bank)
    const { paymentId } = data.payment
    const found = (await paymentOf(bank, paymentId)).data.payment
    expect(found).toMatchObject({ state: 'REJECTED', reasonCode: 'INSUFFICIENT_FUNDS' })
    expect(await eventsOf(bank, `payment/${paymentId}`)).toEqual(['created', 'rejected'])
  })

  test('can be cancelled once, before its execution', async () => {
    const { data } = await transfer(bank, inside({ executionDate: '2026-03-09' }))
    const { paymentId } = data.payment
    expect((await cancel(bank, paymentId)).data.payment.state).toBe('CANCELLED')
    const again = await cancel(bank, paymentId)
    expect(again.code).toBe('INVALID_STATE_TRANSITION')
    expect(again.errors[0]!.extensions).toMatchObject({
      currentState: 'cancelled',
      allowedStates: [],
    })
    bank.clock.set('2026-03-09T06:00:00Z')
    await work(bank)
    expect((await paymentOf(bank, paymentId)).data.payment.state).toBe('CANCELLED')
    expect((await cancel(bank, 'pay_nobody')).code).toBe('PAYMENT_NOT_FOUND')
  })

  test('cannot be cancelled after its execution', async () => {
    const { data } = await transfer(bank, inside({ executionDate: '2026-03-10' }))
    const { paymentId } = data.payment
    bank.clock.set('2026-03-10T06:00:00Z')
    await work(bank)
    const before = await standing(bank, 'arr_grace')
    const late = await cancel(bank, paymentId)
    expect(late.errors[0]!.extensions).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      currentState: 'settled',
      allowedStates: ['returned'],
    })
    expect((await paymentOf(bank, paymentId)).data.payment.state).toBe('SETTLED')
    expect(await standing(bank, 'arr_grace')).toEqual(before)
  })
})

describe('delegated user', () => {
  test('can pay only from their own accounts', async () => {
    const refused = await transfer(bank, inside(), { caller: grace })
    expect(refused.code).toBe('ARRANGEMENT_NOT_FOUND')
    expect(refused.errors[0]!.extensions).toMatchObject({ status: 422 })
  })

  test('sees what they pay, and what they receive once it has settled', async () => {
    const { data } = await transfer(bank, inside({ executionDate: '2026-03-20' }), { caller: ada })
    const { paymentId } = data.payment
    expectAbsent(await paymentOf(bank, paymentId, { caller: grace }))
    expect((await cancel(bank, paymentId, { caller: grace })).code).toBe('PAYMENT_NOT_FOUND')
    const ids = async (caller: typeof ada) =>
      (await list(bank, {}, { caller })).nodes.map((node: any) => node.paymentId)
    expect(await ids(grace)).not.toContain(paymentId)
    bank.clock.set('2026-03-20T06:00:00Z')
    await work(bank)
    expect(await ids(grace)).toContain(paymentId)
    const seen = await paymentOf(bank, paymentId, { caller: grace })
    expect(seen.data.payment).toMatchObject({
      debtorArrangement: null,
      creditorArrangement: { arrangementId: 'arr_grace' },
    })
    const published = (await bank.events()).filter(
      ({ subject }) => subject === `payment/${paymentId}`,
    )
    expect(published.map(({ parties }) => parties)).toEqual([['pty_ada'], ['pty_ada', 'pty_grace']])
  })

  test('pages through their own payments, filtered by account', async () => {
    const page = { account: 'arr_grace', first: 2 }
    const first = await list(bank, page, { caller: grace })
    expect(first.pageInfo.hasNextPage).toBe(true)
    const after = first.pageInfo.endCursor
    const second = await list(bank, { ...page, after }, { caller: grace })
    const ids = [...first.nodes, ...second.nodes].map(({ paymentId }: any) => paymentId)
    expect(new Set(ids).size).toBe(4)
    expect((await list(bank, { account: 'arr_ada' }, { caller: grace })).nodes.length).toBe(
      (await list(bank, {}, { caller: grace })).nodes.length,
    )
  })
})

test('retains the idempotency keys of scheduled transfers and standing orders for good', async () => {
  const day = new Date(bank.bank.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  await transfer(bank, inside({ executionDate: day }), { idempotencyKey: 'later' })
  const { errors } = await bank.execute(
    `mutation ($input: CreateStandingOrderInput!) { createStandingOrder(input: $input) { standingOrderId } }`,
    { input: inside({ frequency: 'MONTHLY', startsOn: day }) },
    { idempotencyKey: 'monthly' },
  )
  expect(errors).toEqual([])
  const retained = await bank.rows(
    `select key, is_retained from kernel.idempotency where key in ('later', 'monthly') order by key`,
  )
  expect(retained).toEqual([
    { key: 'later', is_retained: true },
    { key: 'monthly', is_retained: true },
  ])
})
