/**
 * A year of overdrafts on several pages of accounts, with jobs that are cut off again and again and run
 * in two processes. In the end, every account has what the independent model says, and the ledger has
 * the sum of all accounts.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { overdrafts } from '../../../subgraphs/interest/commands/book.ts'
import { accrualWorker } from '../../../subgraphs/interest/workers/accrue-interest.ts'
import { ModelOverdrawnAccount } from '../../domain/overdraft/model.ts'
import { calendar } from '../../domain/interest/model.ts'
import { endLeasesOf, killedAfter } from './crash-kit.ts'
import { anInterestBank, balanceOf, post, start, type InterestBank } from './kit.ts'
import {
  accountOf,
  aCurrentAccount,
  aCurrentProduct,
  arrange,
  changeLimits,
  reconcileOverdrafts,
} from './overdraft-kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())

const [accounts, pageSize] = [14, 4]
const work = { name: 'accounts.accrue-overdraft-interest', purpose: 'The work of the test.' }
const worker = accrualWorker(pageSize, overdrafts, work)
const step = (of = bank.bank) => worker.run(bankContext(of))
const endLeases = () => endLeasesOf(bank, 'interest.overdraft_position')

const indexOf = (date: string) => (Date.parse(date) - Date.parse('2026-01-01')) / 86_400_000
const minor = (amount: string) => BigInt(amount.replace('.', ''))

test('a year of overdrafts survives crashes and two processes', { timeout: 120_000 }, async () => {
  bank.clock.set(start)
  const productId = await aCurrentProduct(bank, {
    annualRatePct: '9.75',
    unarrangedRatePct: '15.125',
    interestFreeAmount: { amount: '25.00', currency: 'EUR' },
    dayCount: 'ACT_360',
    suspendAfterDays: 100,
  })
  const ids: string[] = []
  for (let at = 0; at < accounts; at++) {
    const id = await aCurrentAccount(bank, productId, `${at * 130 + 200}.00`)
    await post(bank, id, 'OUT', `${at * 130 + 150}.07`)
    // From May on, what is overdrawn is beyond the limit.
    await arrange(bank, id, '150.00', { validFrom: '2026-05-01' })
    ids.push(id)
  }
  await bank.follow()
  const other = bank.another()
  const [first] = ids
  const credits: { on: string; value: string; amount: string }[] = []
  for (let month = 1; month <= 12; month++) {
    const day = month === 12 ? '2027-01-01' : `2026-${String(month + 1).padStart(2, '0')}-01`
    const on = addDays(day, -3)
    bank.clock.set(`${on}T10:00:00.000Z`)
    await step()
    const value = addDays(on, -(month * 2))
    credits.push({ on, value, amount: `${month}.11` })
    await post(bank, first!, 'IN', `${month}.11`, value)
    bank.clock.set(`${day}T00:05:00.000Z`)
    await killedAfter(bank, month % 3, async () => {
      while ((await step()) > 0);
    })
    await killedAfter(bank, month % 5, () => changeLimits(bank))
    await endLeases()
    await Promise.all([step(), step(other.bank), changeLimits(bank)])
    await endLeases()
    while ((await step()) > 0);
    await changeLimits(bank)
    await reconcileOverdrafts(bank)
  }
  const days = calendar([2026, 1, 1], 367)
  for (const [index, arrangementId] of [...ids.entries()].filter(([at]) => at % 3 === 0)) {
    const model = new ModelOverdrawnAccount(days, {
      free: 25_00n,
      arranged: '9.75',
      unarranged: '15.125',
      dayCount: 'act-360',
      chargeEvery: 1,
      suspendAfter: 100,
    })
    const rates = { free: 25_00n, arranged: '9.75', unarranged: '15.125', to: Infinity }
    model.overdrafts.push(
      { ...rates, from: 0, limit: BigInt(index * 130 + 200) * 100n },
      { ...rates, from: indexOf('2026-05-01'), limit: 150_00n },
    )
    model.post(0, -minor(`${index * 130 + 150}.07`))
    for (let day = 0; day < 365; day++) {
      for (const { on, value, amount } of index === 0 ? credits : []) {
        if (indexOf(on) === day) model.post(indexOf(value), minor(amount))
      }
      model.endOfDay()
    }
    expect(minor(await balanceOf(bank, arrangementId))).toBe(model.balanceOn(365))
    const { overdraftInterest, overdraftLimit } = await accountOf(bank, arrangementId)
    expect(overdraftLimit.amount).toBe('150.00')
    expect(overdraftInterest.accruedThrough).toBe('2026-12-31')
    expect(overdraftInterest.charges.nodes.map(({ amount }: any) => minor(amount.amount))).toEqual(
      model.charges.map(({ amount }) => amount).toReversed(),
    )
  }
})
