/** A facility and its installments are read in one snapshot: a concurrent change cannot tear a decision. */
import 'reflect-metadata'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { closeBatch } from '../../../subgraphs/lending/workers/servicing/end-of-day.ts'
import { lending } from '../../../subgraphs/lending/index.ts'
import { recordRepayment } from '../../../subgraphs/lending/commands/repayments/repayment.ts'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  aLender,
  aLoan,
  booked,
  facilityOf,
  findings,
  fund,
  morningOf,
  opened,
  payBack,
  quoteOf,
  runOnce,
  eventsOf,
} from './facility-kit.ts'
import { payExtra, read } from './relief-kit.ts'

let bank: RunningSubgraph
beforeEach(async () => {
  bank = await aLender()
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

/** The bank of a process in which something else happens once, right after a facility was read. */
function afterFacilityRead(of: Bank, action: () => Promise<unknown>): Bank {
  let isDone = false
  const then = async (answer: unknown) => {
    if (!isDone) {
      isDone = true
      await action()
    }
    return answer
  }
  const wrapped = (target: object, names: readonly string[]): object =>
    new Proxy(target, {
      get(_, name) {
        const found = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
        if (!names.includes(name as string)) return found
        return async (...args: unknown[]) => then(await found.apply(target, args))
      },
    })
  const facility = wrapped(of.db.facility, ['findMany', 'findUnique'])
  const raw = wrapped(of.db, ['$queryRawUnsafe'])
  const db = new Proxy(raw, {
    get: (target, name) =>
      name === 'facility' ? facility : (Reflect.get(target, name) as unknown),
  })
  return { ...of, db: db as Bank['db'] }
}

const runIn = (of: Bank, name: string) =>
  lending.workers.find((worker) => worker.name === name)!.run(bankContext(of))

test('does not reject an extra payment for good when an end of day runs between its reads', async () => {
  await opened(bank, aLoan({ facilityId: 'loan_a' }))
  await morningOf(bank, '2026-04-02')
  bank.clock.set('2026-04-02T09:00:00Z')
  const request = await payExtra(bank, {
    facilityId: 'loan_a',
    strategy: 'PAYOFF',
    paymentDate: '2026-04-03',
    sourceArrangementId: 'arr_ada',
    extraPaymentId: 'xpm_a',
  })
  expect(request.errors).toEqual([])
  const quote = await quoteOf(bank, 'loan_a', '2026-04-03')
  const missing = Math.round(Number(quote.total.amount) * 100) - (await booked(bank, 'arr_ada'))
  await fund(bank, 'arr_ada', BigInt(missing))
  bank.clock.set('2026-04-03T00:00:05Z')
  const other = bank.another().bank
  const torn = afterFacilityRead(bank.bank, () => runIn(other, 'lending.end-of-day'))
  await runIn(torn, 'lending.execute-extra-payments')
  const { data } = await read(bank, 'extraPayment', 'xpm_a')
  expect(data.record).toMatchObject({ status: 'APPLIED', reasonCode: null })
  expect((await facilityOf(bank, 'loan_a')).state).toBe('PAID_OFF')
  expect(await booked(bank, 'arr_ada')).toBe(0)
})

test('decides a rejection again when the facility has changed before the commit', async () => {
  await opened(bank, aLoan({ facilityId: 'loan_r' }))
  await morningOf(bank, '2026-04-02')
  bank.clock.set('2026-04-02T09:00:00Z')
  const request = await payExtra(bank, {
    facilityId: 'loan_r',
    strategy: 'PAYOFF',
    paymentDate: '2026-04-03',
    sourceArrangementId: 'arr_ada',
    extraPaymentId: 'xpm_r',
  })
  expect(request.errors).toEqual([])
  bank.clock.set('2026-04-03T09:00:00Z')
  const other = bank.another()
  let isDone = false
  const commits = {
    async commit(prepared: Parameters<Bank['commits']['commit']>[0]) {
      if (!isDone) {
        isDone = true
        const paid = await payBack(other, { facilityId: 'loan_r', amount: '5000.00' })
        expect(paid.errors).toEqual([])
      }
      return bank.bank.commits.commit(prepared)
    },
  }
  // Ada has 12,000.00, which is below the payoff until the repayment.
  await runIn(
    { ...bank.bank, commits: commits as Bank['commits'] },
    'lending.execute-extra-payments',
  )
  const { data } = await read(bank, 'extraPayment', 'xpm_r')
  expect(data.record).toMatchObject({ status: 'APPLIED', reasonCode: null })
})

test.each([
  ['500.00', '700.00', 'applied'],
  ['1032.80', '1032.80', 'applied'],
  ['12050.00', '20.00', 'EXCEEDS_PAYOFF_AMOUNT'],
])(
  'handles a repayment of %s between the reads of a repayment of %s',
  async (first, mine, expected) => {
    await fund(bank, 'arr_ada', 5_000_000n)
    await opened(bank, aLoan({ facilityId: 'loan_p' }))
    await morningOf(bank, '2026-04-02')
    bank.clock.set('2026-04-02T09:00:00Z')
    const other = bank.another()
    const source = { facilityId: 'loan_p', sourceArrangementId: 'arr_ada' }
    const torn = afterFacilityRead(bank.bank, async () => {
      expect((await payBack(other, { ...source, amount: first })).errors).toEqual([])
    })
    const { envelope } = bankContext(torn)
    const context = createContext(torn, aCaller(), envelope)
    const outcome = await recordRepayment(context, {
      ...source,
      amount: { amount: mine, currency: 'EUR' },
    }).then(
      ({ state }) => state,
      (error: { code: string }) => error.code,
    )
    expect(outcome).toBe(expected)
  },
)

test('completes an end-of-day page when a repayment is made between its reads', async () => {
  await opened(bank, aLoan({ facilityId: 'loan_b' }))
  await opened(bank, aLoan({ facilityId: 'loan_c' }))
  await morningOf(bank, '2026-04-02')
  bank.clock.set('2026-06-05T00:00:05Z')
  const other = bank.another()
  const torn = afterFacilityRead(bank.bank, () =>
    payBack(other, { facilityId: 'loan_c', amount: '500.00', sourceArrangementId: 'arr_ada' }),
  )
  expect(await closeBatch(bankContext(torn), 200)).toBe(2)
  expect(await eventsOf(bank, 'end-of-day/2026-06-04')).toEqual(['started', 'completed'])
})

test('does not complete the next business day when the clock moves while a page is decided', async () => {
  await opened(bank, aLoan({ facilityId: 'loan_d' }))
  bank.clock.set('2026-03-05T09:00:00Z')
  const transitioning = afterFacilityRead(bank.bank, async () =>
    bank.clock.set('2026-03-06T09:00:00Z'),
  )
  await closeBatch(bankContext(transitioning), 200)
  expect(await eventsOf(bank, 'end-of-day/2026-03-04')).toEqual(['started', 'completed'])
  expect(await eventsOf(bank, 'end-of-day/2026-03-05')).toEqual([])
  expect(await runOnce(bank, 'lending.end-of-day')).toBe(1)
  expect(await eventsOf(bank, 'end-of-day/2026-03-05')).toEqual(['started', 'completed'])
})
