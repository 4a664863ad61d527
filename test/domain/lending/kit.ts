import * as fc from 'fast-check'
import { calendarOf } from '../../../subgraphs/lending/domain/schedules/calendar.ts'
import type { Loan, LoanTerms, Schedule } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { ofPercent } from '../../../kernel/domain/rational.ts'
import { scheduleOf } from '../../../subgraphs/lending/domain/schedules/schedule.ts'

/** Six properties of this many loans make 10,000 runs; set `LENDING_RUNS=10000` for more. */
export const numRuns = Number(process.env['LENDING_RUNS'] ?? 1700)

/** 12,000.00 at 6% over twelve months from January 1, 2026, unless the test overrides it. */
export function aLoan(terms: Partial<LoanTerms> = {}, loan: Partial<Loan> = {}): Loan {
  const start = terms.start ?? '2026-01-01'
  return {
    terms: {
      method: 'annuity',
      installments: 12,
      start,
      frequency: 'monthly',
      everyDays: null,
      dayCount: 'thirty-360',
      annualRate: ofPercent('6'),
      balloonMinor: 0n,
      principalGrace: 0,
      interestGrace: 0,
      multipleMinor: 1n,
      ...terms,
    },
    disbursements: [{ on: start, amountMinor: 1_200_000n }],
    rateChanges: [],
    holidays: [],
    extraPayments: [],
    ...loan,
  }
}

export const schedule = (loan: Loan): Schedule => scheduleOf(loan, 'EUR')

/** Installments as text: payment, interest, principal, balance. */
export function lines({ installments }: Schedule): string[] {
  return installments.map(
    ({ number, paymentMinor, interestMinor, principalMinor, balanceMinor }) =>
      `${number}: ${paymentMinor} ${interestMinor} ${principalMinor} ${balanceMinor}`,
  )
}

const dates = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Any loan without events, of any method. */
export const anyLoan: fc.Arbitrary<Loan> = fc
  .record({
    method: fc.constantFrom('annuity', 'equal-principal', 'interest-only', 'balloon', 'flat'),
    installments: fc.integer({ min: 1, max: 60 }),
    start: dates,
    frequency: fc.constantFrom('monthly', 'weekly', 'biweekly', 'quarterly', 'yearly', 'days'),
    everyDays: fc.integer({ min: 1, max: 90 }),
    // Without the 30-day-month counts: the parts of a split period may add up to a day more or less.
    dayCount: fc.constantFrom(
      'thirty-360' as const,
      'act-360' as const,
      'act-364' as const,
      'act-365' as const,
      'act-act' as const,
    ),
    basisPoints: fc.integer({ min: 0, max: 3500 }),
    amountMinor: fc.bigInt(1n, 50_000_000n),
    balloonPercent: fc.bigInt(0n, 100n),
    principalGrace: fc.integer({ min: 0, max: 6 }),
    interestGrace: fc.integer({ min: 0, max: 6 }),
  } as const)
  .map(({ basisPoints, amountMinor, balloonPercent, ...terms }) => {
    const graceAtMost = Math.max(0, terms.installments - 1)
    return aLoan(
      {
        ...terms,
        annualRate: { num: BigInt(basisPoints), den: 10_000n },
        balloonMinor: terms.method === 'balloon' ? (amountMinor * balloonPercent) / 100n : 0n,
        principalGrace: Math.min(terms.principalGrace, graceAtMost),
        interestGrace: Math.min(terms.interestGrace, graceAtMost),
      },
      { disbursements: [{ on: terms.start, amountMinor }] },
    )
  })

export const dueDay = ({ terms }: Loan, number: number) =>
  calendarOf(terms.start, terms.frequency, terms.everyDays).dueDay(number)

/** An upper bound for what a minor unit grows to by the end, with compound interest. */
export function growthOf(loan: Loan): number {
  const { installments, annualRate } = loan.terms
  const lengths = Array.from(
    { length: installments },
    (_, place) => dueDay(loan, place + 1) - dueDay(loan, place),
  )
  const rate = (Number(annualRate.num) / Number(annualRate.den)) * (Math.max(...lengths) / 360)
  return (1 + rate) ** installments
}

/** A plain annuity, large and long enough for events to happen in it. */
export const anyAnnuity: fc.Arbitrary<Loan> = anyLoan
  .filter((loan) => loan.terms.installments >= 6 && growthOf(loan) <= 100)
  .map(({ terms, ...loan }) => ({
    ...loan,
    terms: {
      ...terms,
      method: 'annuity' as const,
      balloonMinor: 0n,
      principalGrace: 0,
      interestGrace: 0,
    },
    disbursements: loan.disbursements.map(({ on, amountMinor }) => ({
      on,
      amountMinor: amountMinor + 100_000n,
    })),
  }))

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, it) => total + it, 0n)
