/**
 * A year of term deposits that all use one settlement account, with a job that is cut off again and again
 * and runs in two processes, while some customers withdraw. In the end, every deposit is what the
 * independent model says, and no cent is missing.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { accrualWorker } from '../../../subgraphs/interest/workers/accrue-interest.ts'
import { calendar } from '../../domain/interest/model.ts'
import {
  ModelTermAccount,
  type Instruction,
  type ModelOffer,
} from '../../domain/interest/term-model.ts'
import { endLeasesOf, killedAfter, runToEnd } from './crash-kit.ts'
import { anInterestBank, balanceOf, eur, post, reconcile, start, type InterestBank } from './kit.ts'
import {
  anEmptyAccount,
  aTermProduct,
  deposit,
  depositsOf,
  fixedTerms,
  withdraw,
} from './term-deposit-kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())

const [accounts, pageSize] = [18, 4]
const worker = accrualWorker(pageSize)
const step = (of = bank.bank) => worker.run(bankContext(of))
const instructions: Instruction[] = ['pay-out', 'renew-principal', 'renew-with-interest']
const rates = new Map([1, 2, 3, 6].map((months) => [months, `${months}.125`]))
const offer: ModelOffer = {
  rates,
  smallest: 100_00n,
  largest: 100_000_00n,
  early: { notice: 0, days: 10, pct: '0', isProtected: true },
}
const minor = (amount: string) => BigInt(amount.replace('.', ''))
/** The accounts whose deposits are withdrawn, each on the 17th of a month. */
const withdrawals = new Map([
  [4, 3],
  [5, 7],
  [16, 5],
])

test('a year of term deposits survives crashes and two processes', async () => {
  bank.clock.set(start)
  const offers = [...rates].map(([months, annualRatePct]) => ({ months, annualRatePct }))
  const productId = await aTermProduct(bank, { ...fixedTerms, offers })
  const settlementArrangementId = await anEmptyAccount(
    bank,
    await aTermProduct(bank, {}, { tiers: [{ annualRatePct: '0' }] }),
  )
  await post(bank, settlementArrangementId, 'IN', '100000.00')
  await bank.follow()
  const other = bank.another()
  const days = calendar([2026, 1, 1], 800)
  const dates = days.map(([y, m, d]) =>
    [y, m, d].map((each) => String(each).padStart(2, '0')).join('-'),
  )
  const lives: { arrangementId: string; model: ModelTermAccount; termDepositId: string }[] = []
  for (let at = 0; at < accounts; at++) {
    const arrangementId = await anEmptyAccount(bank, productId)
    const months = [...rates.keys()][at % rates.size]!
    const instruction = instructions[at % instructions.length]!
    const { termDepositId } = await deposit(
      bank,
      { arrangementId, settlementArrangementId },
      {
        amount: eur(`${1000 + at}.07`),
        months,
        maturityInstruction: instruction.replaceAll('-', '_').toUpperCase(),
      },
    )
    const model = new ModelTermAccount(days, 0, {
      method: 'band',
      tiers: [{ upTo: null, pct: '0.365' }],
      dayCount: 'act-365',
      minimum: 0n,
      payEvery: 0,
      taxPct: 0n,
    })
    model.begin(0, minor(`${1000 + at}.07`), months, instruction, offer)
    lives.push({ arrangementId, model, termDepositId })
  }
  await bank.follow()
  for (let month = 1; month <= 12; month++) {
    const middle = `2026-${String(month).padStart(2, '0')}-17`
    bank.clock.set(`${middle}T10:00:00.000Z`)
    const leaving = lives.filter((_, at) => withdrawals.get(at) === month)
    const running = await Promise.all(
      leaving.map(({ arrangementId }) => depositsOf(bank, arrangementId)),
    )
    await Promise.all([
      ...running.map(([latest]) => withdraw(bank, latest.termDepositId)),
      step(),
      step(other.bank),
    ])
    const day = month === 12 ? '2027-01-01' : `2026-${String(month + 1).padStart(2, '0')}-01`
    bank.clock.set(`${day}T00:05:00.000Z`)
    await killedAfter(bank, month % 4, () => runToEnd(step))
    await endLeasesOf(bank)
    await Promise.all([step(), step(other.bank)])
    await endLeasesOf(bank)
    await bank.accrue()
    await reconcile(bank)
  }
  let paidOut = 0n
  for (const [at, { arrangementId, model }] of lives.entries()) {
    const leavesOn = withdrawals.get(at)
    for (let day = 0; day < 365; day++) {
      const isLeaving = dates[day] === `2026-${String(leavesOn).padStart(2, '0')}-17`
      if (isLeaving && model.deposit) {
        model.giveNotice(day, false)
        model.endIfDue(day, offer, true)
      }
      model.night(day, offer, true)
    }
    const found = await depositsOf(bank, arrangementId)
    const ended = found.filter(({ endedOn }) => endedOn !== null).reverse()
    expect(
      ended.map((each) => ({
        on: each.endedOn,
        state: each.state.toLowerCase(),
        interest: minor(each.interest.amount),
        penalty: minor(each.penalty.amount),
        paidOut: minor(each.paidOut.amount),
      })),
      arrangementId,
    ).toEqual(model.ends.map((end) => ({ ...end, on: dates[end.on] })))
    expect(minor(await balanceOf(bank, arrangementId))).toBe(model.balance)
    const [ledger] = await bank.rows(
      `select blocked_for from ledger.balance where account_id = '${arrangementId}'`,
    )
    expect(ledger!['blocked_for']).toBe(model.deposit ? 'all' : null)
    paidOut += model.ends.reduce((sum, each) => sum + each.paidOut, 0n)
  }
  const principals = lives.reduce((sum, _, at) => sum + minor(`${1000 + at}.07`), 0n)
  const settled = minor(await balanceOf(bank, settlementArrangementId))
  expect(settled).toBe(100_000_00n - principals + paidOut)
}, 180_000)
