/**
 * Random lives of accounts with term deposits, compared with an independent model on every morning on
 * which the job ran: all day counts and calendars, renewals at changing offers, early withdrawals with and
 * without notice, waivers, closed settlement accounts, missed nights and leap days.
 *
 * The normal run has 300 lives; `INTEREST_LIVES=5000 npx vitest run test/domain/interest` runs more lives,
 * all of ten years.
 */
import { expect, test } from 'vitest'
import { depositDayCounts } from '../../../kernel/domain/deposit-interest.ts'
import { agreedTerm, maturityOf, type FixedTerms } from '../../../kernel/domain/fixed-terms.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import type { InterestPosition } from '../../../subgraphs/interest/domain/position.ts'
import { withDepositRates } from '../../../subgraphs/interest/domain/term-deposit.ts'
import type { TermEnd } from '../../../subgraphs/interest/domain/term-end.ts'
import { termsByDay } from '../../../subgraphs/interest/domain/terms.ts'
import { withNotice } from '../../../subgraphs/interest/domain/withdrawal.ts'
import type { TermDeposit } from '../../../subgraphs/interest/model/term-deposit.ts'
import { random } from '../../kit/random.ts'
import { between, emptyPosition, oneOf, text, type Random } from './kit.ts'
import { calendar, type Ymd } from './model.ts'
import {
  ModelTermAccount,
  type Instruction,
  type ModelOffer,
  type OutsideTerms,
} from './term-model.ts'

const requested = process.env['INTEREST_LIVES']
const lives = Number(requested ?? 300)
const [tenYears, shortLife] = [3653, 500]
/** Days before the account was opened, into which the days of a penalty can reach, and after the life. */
const [before, after] = [220, 900]

const eur = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
const rate = (next: Random) => `${between(next, 0, 6)}.${String(between(next, 0, 999_999))}`

function randomOutside(next: Random): OutsideTerms {
  return {
    method: 'band',
    tiers: [
      {
        upTo: null,
        pct: `${next() < 0.2 ? '-' : ''}${between(next, 0, 9)}.${between(next, 0, 999)}`,
      },
    ],
    dayCount: oneOf(next, depositDayCounts),
    minimum: next() < 0.3 ? 5_000_000n : 0n,
    payEvery: oneOf(next, [0, 0, 1, 3, 12] as const),
    taxPct: BigInt(oneOf(next, [0, 0, 25, 27])),
  }
}

function randomOffer(next: Random): ModelOffer {
  const months = [1, 2, 3, 6, 12, 24].filter(() => next() < 0.7)
  return {
    rates: new Map((months.length > 0 ? months : [3]).map((each) => [each, rate(next)])),
    smallest: BigInt(between(next, 1, 20_000)),
    largest: BigInt(between(next, 200_000, 9_000_000)),
    early:
      next() < 0.8
        ? {
            notice: oneOf(next, [0, 0, 5, 31]),
            days: between(next, 0, 200),
            pct: next() < 0.5 ? '0' : rate(next),
            isProtected: next() < 0.7,
          }
        : null,
  }
}

/** The offer as the bank has it. */
function offered({ rates, smallest, largest, early }: ModelOffer): FixedTerms {
  return {
    offers: [...rates].map(([months, annualRatePct]) => ({ months, annualRatePct })),
    minimumAmount: eur(smallest),
    maximumAmount: eur(largest),
    earlyWithdrawal: early && {
      noticeDays: early.notice,
      penaltyDays: early.days,
      penaltyRatePct: early.pct,
      isPrincipalProtected: early.isProtected,
    },
  }
}

const frequencies = { 0: 'at-maturity', 1: 'monthly', 3: 'quarterly', 12: 'annually' } as const

function termsOnOf(terms: OutsideTerms) {
  const depositInterest = {
    tierMethod: terms.method,
    tiers: [{ upTo: null, annualRatePct: terms.tiers[0]!.pct }],
    dayCount: terms.dayCount,
    minimumBalance:
      terms.minimum === 0n ? null : { amountMinor: String(terms.minimum), currency: 'EUR' },
    capitalization: frequencies[terms.payEvery],
    withholdingTaxPct: String(terms.taxPct),
    existingAccountsFrom: null,
  }
  const versions = [{ version: '0', status: 'active', depositInterest }]
  return termsByDay({ productId: 'prd', versions }, '0', [])
}

/** The account as the bank keeps it, without a database. */
class BankAccount {
  position: InterestPosition
  deposits: TermDeposit[] = []
  readonly ends: TermEnd[] = []
  #waiting: Movement[] = []
  #serial = 0
  readonly termsOn: ReturnType<typeof termsByDay>

  constructor(openedOn: string, terms: OutsideTerms) {
    this.position = emptyPosition(openedOn)
    this.termsOn = termsOnOf(terms)
  }

  get running(): TermDeposit | undefined {
    return this.deposits.find(({ endedOn }) => endedOn === null)
  }

  post(valueDate: string, amountMinor: bigint): void {
    this.#waiting.push({ valueDate, amountMinor, postingInstructionId: `pin_${++this.#serial}` })
  }

  begin(today: string, principalMinor: bigint, months: number, more: Partial<TermDeposit>): void {
    const maturesOn = maturityOf(today, months)
    this.post(today, principalMinor)
    this.deposits.push({
      ...this.#newRecord(),
      arrangementId: 'arr',
      settlementArrangementId: 'arr_2',
      partyId: 'pty',
      currency: 'EUR',
      state: 'active',
      principalMinor,
      months,
      annualRatePct: '0',
      earlyWithdrawal: null,
      startsOn: today,
      maturesOn,
      endsOn: maturesOn,
      endedOn: null,
      maturityInstruction: 'pay-out',
      noticeGivenOn: null,
      waiverReason: null,
      accruedBeforeMinor: this.position.accruedMinor,
      interestMinor: null,
      penaltyMinor: null,
      paidOutMinor: null,
      previousTermDepositId: null,
      settlementPostingId: null,
      openedBy: 'someone',
      ...more,
    })
  }

  change(deposit: TermDeposit): void {
    const isSame = (each: TermDeposit) => each.termDepositId === deposit.termDepositId
    this.deposits = this.deposits.map((each) => (isSame(each) ? deposit : each))
  }

  accrue(through: string, offer: ModelOffer | null, isPayable: boolean): void {
    const deposit = this.running
    const result = accrue({
      position: this.position,
      movements: this.#waiting,
      seenSequence: this.position.seenSequence + BigInt(this.#waiting.length),
      accruedDays: new Map(),
      termsOn: withDepositRates(this.termsOn, this.deposits),
      isExemptOn: () => false,
      through,
      mayPay: true,
      term: deposit
        ? {
            deposit,
            offered: offer && offered(offer),
            isPayable,
            newRecord: () => this.#newRecord(),
          }
        : null,
    })
    this.#waiting = []
    this.position = result.position
    for (const { ended, renewed } of result.termEnds) {
      this.change(ended)
      if (renewed) this.deposits.push(renewed)
    }
    this.ends.push(...result.termEnds)
  }

  #newRecord() {
    const createdAt = new Date(0)
    const termDepositId = `tdp_${++this.#serial}`
    return { termDepositId, contentHash: '', version: 1, createdAt, updatedAt: createdAt }
  }
}

function live(seed: number): string[] {
  const next = random(seed)
  const length = requested || seed % 25 === 0 ? tenYears : shortLife
  const first: Ymd = [between(next, 1996, 2030), between(next, 1, 12), between(next, 1, 28)]
  const days = calendar(first, before + length + after)
  const dates = days.map(text)
  const terms = randomOutside(next)
  const model = new ModelTermAccount(days, before, terms)
  const bank = new BankAccount(dates[before]!, terms)
  let offer: ModelOffer | null = randomOffer(next)
  let isPayable = true
  let nights = before
  /** Runs the job in the morning of a day, for all nights that it missed. */
  const morning = (today: number) => {
    bank.accrue(dates[today - 1]!, offer, isPayable)
    for (; nights < today; nights++) model.night(nights, offer, isPayable)
    const facts = { seed, day: dates[today], booked: model.booked, balance: model.balance }
    const own = { booked: bank.position.accruedMinor, balance: balanceOn(bank, dates[today]!) }
    expect({ ...facts, ...own }).toEqual(facts)
  }
  for (let today = before + 1; today < before + length; today++) {
    if (next() < 0.005) offer = next() < 0.1 ? null : randomOffer(next)
    if (next() < 0.01) isPayable = next() < 0.8
    const isActive = next() < 0.03
    // The job sometimes misses nights and catches up; a request makes it catch up.
    if (!isActive && next() < 0.1) continue
    morning(today)
    if (!isActive) continue
    if (model.deposit) {
      const { early } = bank.running!.earlyWithdrawal ? model.deposit : { early: null }
      const isWaived = early === null || next() < 0.2
      const noticeDays = isWaived ? 0 : early.notice
      if (next() < 0.5 && model.deposit.ends === model.deposit.matures) {
        model.giveNotice(today, isWaived)
        bank.change(
          withNotice(bank.running!, isWaived ? 'A reason.' : null, dates[today]!, noticeDays),
        )
        bank.accrue(dates[today - 1]!, offer, isPayable)
        model.endIfDue(today, offer, isPayable)
      }
    } else if (offer) {
      if (model.balance !== 0n) {
        bank.post(dates[today]!, -model.balance)
        model.balance = 0n
      }
      const months = oneOf(next, [...offer.rates.keys()])
      const principal = offer.smallest + BigInt(between(next, 0, 500_000))
      const term = agreedTerm(offered(offer), months, principal)
      expect(term === null).toBe(principal > offer.largest)
      if (!term) continue
      const instruction = oneOf<Instruction>(next, [
        'pay-out',
        'renew-principal',
        'renew-with-interest',
      ])
      model.begin(today, principal, months, instruction, offer)
      bank.begin(dates[today]!, principal, months, { ...term, maturityInstruction: instruction })
    }
  }
  const shown = bank.ends.map(({ ended }) => ({
    on: ended.endedOn,
    state: ended.state,
    interest: ended.interestMinor,
    penalty: ended.penaltyMinor,
    paidOut: ended.paidOutMinor,
  }))
  expect(shown).toEqual(model.ends.map((end) => ({ ...end, on: dates[end.on] })))
  return model.ends.map(({ state }) => state)
}

/** The balance at the beginning of a day. */
function balanceOn({ position: { balanceMinor, ahead } }: BankAccount, today: string): bigint {
  const due = ahead.filter(({ valueDate }) => valueDate <= today)
  return due.reduce((sum, { amountMinor }) => sum + amountMinor, balanceMinor)
}

test(
  `${lives} random lives with term deposits agree with the model to the cent`,
  { timeout: 3_600_000 },
  () => {
    const states: string[] = []
    for (let seed = 1; seed <= lives; seed++) states.push(...live(seed))
    for (const state of ['matured', 'renewed', 'withdrawn']) expect(states).toContain(state)
  },
)
