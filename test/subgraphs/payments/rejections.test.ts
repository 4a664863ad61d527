import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { statusOf } from '../../kit/status-of.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from './kit.ts'

let bank: RunningSubgraph
const transfer = (more: object = {}) => ({
  debtorArrangementId: 'arr_ada',
  creditorArrangementId: 'arr_grace',
  amount: eur('10.00'),
  ...more,
})
const authorize = (clientTransactionId: string, more: object = {}) => ({
  type: 'OUTBOUND_AUTHORIZATION',
  arrangementId: 'arr_ada',
  amount: eur('10.00'),
  clientTransactionId,
  ...more,
})
const settle = (clientTransactionId: string, more: object = {}) => ({
  type: 'SETTLEMENT',
  clientTransactionId,
  ...more,
})

beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
  await anAccount(bank, 'arr_grace')
  await anAccount(bank, 'arr_usd', { currency: 'USD' })
  await anAccount(bank, 'arr_blocked', { blockedFor: 'all' })
  await anAccount(bank, 'arr_closed')
  await bank.rows(
    `update ledger.balance set is_closed = true, stamp = gen_random_uuid() where account_id = 'arr_closed'`,
  )
  const setup = [
    pay('arr_ada', '1000.00'),
    authorize('open'),
    authorize('gone'),
    settle('gone'),
    authorize('late', { expiresAt: '2026-03-02T08:59:59Z' }),
  ]
  for (const input of setup) expect((await post(bank, input)).errors).toEqual([])
})
afterAll(() => bank.drop())

async function tally() {
  const [row] = await bank.rows(`select
    (select count(*) from ledger.entry)::int as entries,
    (select string_agg(account_id || stamp, ',' order by account_id) from ledger.balance where account_id like 'arr%') as versions`)
  return row
}

test('an adjustment of an authorization may be negative, but not zero', async () => {
  const adjust = (amount: string) =>
    post(bank, {
      type: 'AUTHORIZATION_ADJUSTMENT',
      clientTransactionId: 'open',
      amount: eur(amount),
    })
  const { errors } = await adjust('0.00')
  expect(JSON.stringify(errors)).toContain('The amount must not be zero.')
  expect((await adjust('-1.00')).errors).toEqual([])
  expect((await adjust('1.00')).errors).toEqual([])
})

describe('rejected posting instruction', () => {
  test.each<[string, object, number]>([
    ['INSUFFICIENT_FUNDS', transfer({ amount: eur('100000.00') }), 422],
    ['ARRANGEMENT_NOT_FOUND', transfer({ debtorArrangementId: 'arr_nobody' }), 422],
    ['ARRANGEMENT_BLOCKED', transfer({ creditorArrangementId: 'arr_blocked' }), 422],
    ['ARRANGEMENT_CLOSED', transfer({ creditorArrangementId: 'arr_closed' }), 422],
    ['CURRENCY_MISMATCH', transfer({ creditorArrangementId: 'arr_usd' }), 422],
    ['SAME_ACCOUNT', transfer({ creditorArrangementId: 'arr_ada' }), 422],
    ['INVALID_AMOUNT', transfer({ amount: eur('0.00') }), 422],
    ['INVALID_AMOUNT', transfer({ amount: eur('-1.00') }), 422],
    ['VALUE_DATE_OUT_OF_WINDOW', transfer({ valueDate: '2026-01-01' }), 422],
    ['VALUE_DATE_OUT_OF_WINDOW', transfer({ valueDate: '2026-04-15' }), 422],
    ['AUTHORISATION_NOT_FOUND', settle('nobody'), 422],
    ['AUTHORISATION_ALREADY_CLOSED', settle('gone'), 409],
    ['AUTHORISATION_EXPIRED', settle('late'), 409],
    ['CLIENT_TRANSACTION_ID_REUSED', authorize('open'), 409],
    ['SETTLEMENT_EXCEEDS_AUTHORISATION', settle('open', { amount: eur('10.01') }), 422],
    ['CURRENCY_MISMATCH', settle('open', { amount: { amount: '1.00', currency: 'USD' } }), 422],
    ['POSTING_NOT_REVERSIBLE', { reversesId: 'pin_nobody' }, 422],
    [
      'UNBALANCED_ENTRIES',
      {
        entries: [
          { account: 'arr_ada', side: 'DEBIT', amount: eur('1.00') },
          { account: 'suspense/EUR', side: 'CREDIT', amount: eur('2.00') },
        ],
      },
      422,
    ],
    [
      'LIMIT_EXCEEDED',
      {
        instructions: Array.from({ length: 50 }, () => pay('arr_grace', '999999999999999.00')),
      },
      422,
    ],
  ])(
    'with %s is stored and published, and books nothing (case %#)',
    async (code, input, status) => {
      const before = await tally()
      const answer = await post(bank, input)
      expect(answer.code).toBe(code)
      const { violations, postingInstructionId } = answer.errors[0]!.extensions as never as {
        violations: { code: string }[]
        postingInstructionId: string
      }
      expect(violations[0]!.code).toBe(code)
      expect(statusOf(answer.errors[0]!)).toBe(status)
      expect(await tally()).toEqual(before)
      const [retained] = await bank.rows(
        `select distinct status from ledger.posting_instruction where $1 in (posting_instruction_id, batch_id)`,
        [postingInstructionId],
      )
      expect(retained).toEqual({ status: 'rejected' })
      const last = (await bank.events()).at(-1)!
      expect(last.type).toBe('payments.posting-instruction.rejected')
    },
  )

  test('lists a violation of two accounts by one member once', async () => {
    const inPounds = transfer({ amount: { amount: '1.00', currency: 'GBP' } })
    const { errors } = await post(bank, inPounds)
    const { violations, errors: listed } = errors[0]!.extensions as never as {
      violations: object[]
      errors: object[]
    }
    expect(violations).toHaveLength(2)
    expect(listed).toMatchObject([{ pointer: '/amount/currency', code: 'CURRENCY_MISMATCH' }])
  })

  test('with ALREADY_REVERSED: a posting can be reversed once', async () => {
    const done = await post(bank, transfer())
    const reversesId = done.data.createPostingInstruction.postingInstructionId
    const before = await post(bank, { reversesId })
    expect(before.data.createPostingInstruction).toMatchObject({ type: 'REVERSAL', reversesId })
    expect((await post(bank, { reversesId })).code).toBe('ALREADY_REVERSED')
  })
})

describe('invalid posting instruction', () => {
  const batch = (size: number) => ({ instructions: Array.from({ length: size }, () => transfer()) })
  test.each<[string, object, object]>([
    ['VALIDATION_FAILED', { amount: eur('1.00') }, {}],
    ['VALIDATION_FAILED', { ...transfer(), final: true }, {}],
    ['VALIDATION_FAILED', { type: 'SETTLEMENT' }, {}],
    ['VALIDATION_FAILED', { ...transfer(), type: 'BATCH' }, {}],
    ['VALIDATION_FAILED', { instructions: [] }, {}],
    ['VALIDATION_FAILED', { ...transfer(), clientBatchId: 'b' }, {}],
    ['VALIDATION_FAILED', { ...batch(1), amount: eur('1.00') }, {}],
    ['BATCH_TOO_LARGE', batch(1001), {}],
    [
      'INTERNAL_ACCOUNT_NOT_FOUND',
      { ...pay('arr_ada', '1.00'), internalAccountCode: 'nowhere' },
      {},
    ],
    [
      'INTERNAL_ACCOUNT_NOT_FOUND',
      {
        entries: [
          { account: 'nowhere/EUR', side: 'DEBIT', amount: eur('1.00') },
          { account: 'arr_ada', side: 'CREDIT', amount: eur('1.00') },
        ],
      },
      {},
    ],
    [
      'NOT_FOR_DELEGATED_USERS',
      pay('arr_ada', '1.00'),
      { caller: aCaller({ partyId: 'pty_ada' }) },
    ],
    [
      'FORCE_NOT_PERMITTED',
      { ...transfer(), advice: true },
      { caller: aCaller({ scopes: ['postings:write'] }) },
    ],
    ['INSUFFICIENT_SCOPE', transfer(), { caller: aCaller({ scopes: ['postings:read'] }) }],
  ])('with %s is not stored', async (code, input, options) => {
    const count = 'select count(*)::int as n from ledger.posting_instruction'
    const before = await bank.rows(count)
    expect((await post(bank, input, options)).code).toBe(code)
    expect(await bank.rows(count)).toEqual(before)
  })

  test('with CLIENT_BATCH_ID_REUSED: a batch id can be used once', async () => {
    const named = { instructions: [transfer()], clientBatchId: 'night-1' }
    const first = await post(bank, named, { idempotencyKey: 'night' })
    expect(first.data.createPostingInstruction).toMatchObject({ type: 'BATCH', status: 'ACCEPTED' })
    const again = await post(bank, named, { idempotencyKey: 'night' })
    expect(again.data).toEqual(first.data)
    expect(again.isReplayed).toBe(true)
    expect((await post(bank, named)).code).toBe('CLIENT_BATCH_ID_REUSED')
  })

  test('is null in a query when it is unknown', async () => {
    const query = '{ postingInstruction(postingInstructionId: "pin_nobody") { status } }'
    expectAbsent(await bank.execute(query))
  })
})
