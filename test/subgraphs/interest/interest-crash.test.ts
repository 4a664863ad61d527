/**
 * A year of interest on several pages of accounts, with a job that is cut off again and again and runs
 * in two processes. In the end, every account has what the independent model says, and the ledger has
 * the sum of all accounts.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { accrualWorker } from '../../../subgraphs/interest/workers/accrue-interest.ts'
import { calendar, ModelAccount, type ModelTerms } from '../../domain/interest/model.ts'
import { endLeasesOf, killedAfter, runToEnd } from './crash-kit.ts'
import {
  anAccount,
  anInterestBank,
  aProduct,
  balanceOf,
  interestOf,
  post,
  reconcile,
  start,
  type InterestBank,
} from './kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())

const [accounts, pageSize] = [24, 5]
const worker = accrualWorker(pageSize)
const step = (of = bank.bank) => worker.run(bankContext(of))
const endLeases = () => endLeasesOf(bank)

test('a year of interest survives crashes and two processes', { timeout: 120_000 }, async () => {
  bank.clock.set(start)
  const productId = await aProduct(bank, {
    tiers: [
      { upTo: { amount: '1500.00', currency: 'EUR' }, annualRatePct: '2.5' },
      { annualRatePct: '1.25' },
    ],
    dayCount: 'THIRTY_E_360',
    withholdingTaxPct: '27',
  })
  const ids: string[] = []
  for (let at = 0; at < accounts; at++) {
    ids.push(await anAccount(bank, productId, `${at * 170 + 1}.07`))
  }
  await bank.follow()
  const other = bank.another()
  const [first] = ids
  const postings: { on: string; value: string; amount: string; direction: 'IN' | 'OUT' }[] = []
  for (let month = 1; month <= 12; month++) {
    const day = addDays(
      month === 12 ? '2027-01-01' : `2026-${String(month + 1).padStart(2, '0')}-01`,
      0,
    )
    // A posting in the middle of the month before, in the last days known, dated back into it.
    const on = addDays(day, -3)
    bank.clock.set(`${on}T10:00:00.000Z`)
    await step()
    const value = addDays(on, -(month * 2))
    const direction = month % 3 === 0 ? 'OUT' : 'IN'
    postings.push({ on, value, amount: `${month * 10}.11`, direction })
    await post(bank, first!, direction, `${month * 10}.11`, value)
    bank.clock.set(`${day}T00:05:00.000Z`)
    await killedAfter(bank, month % 3, () => runToEnd(step))
    await endLeases()
    await Promise.all([step(), step(other.bank)])
    await endLeases()
    await bank.accrue()
    await reconcile(bank)
  }
  const days = calendar([2026, 1, 1], 367)
  const terms: ModelTerms = {
    from: 0,
    method: 'band',
    tiers: [
      { upTo: 1500_00n, pct: '2.5' },
      { upTo: null, pct: '1.25' },
    ],
    dayCount: 'thirty-e-360',
    minimum: 0n,
    payEvery: 1,
    taxPct: 27n,
  }
  const indexOf = (date: string) => (Date.parse(date) - Date.parse('2026-01-01')) / 86_400_000
  const minor = (amount: string) => BigInt(amount.replace('.', ''))
  for (const [index, arrangementId] of [...ids.entries()].filter(([at]) => at % 5 === 0)) {
    const model = new ModelAccount(days, [terms], () => false)
    model.post(0, minor(`${index * 170 + 1}.07`))
    for (let day = 0; day < 365; day++) {
      for (const { on, value, amount, direction } of index === 0 ? postings : []) {
        if (indexOf(on) !== day) continue
        model.post(indexOf(value), direction === 'IN' ? minor(amount) : -minor(amount))
      }
      model.endOfDay()
    }
    expect(minor(await balanceOf(bank, arrangementId))).toBe(model.balanceOn(365))
    const { capitalizations, accruedThrough } = await interestOf(bank, arrangementId)
    expect(accruedThrough).toBe('2026-12-31')
    const paid = model.payments.map(({ gross, tax }) => [gross, tax]).toReversed()
    expect(
      capitalizations.nodes.map((each: any) => [
        minor(each.gross.amount),
        minor(each.taxWithheld.amount),
      ]),
    ).toEqual(paid)
  }
})
