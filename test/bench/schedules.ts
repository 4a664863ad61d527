import { ofPercent } from '../../kernel/domain/rational.ts'
import { scheduleOf } from '../../subgraphs/lending/domain/schedules/schedule.ts'
import { standingOn } from '../../subgraphs/lending/domain/schedules/standing.ts'
import { record } from './report.ts'
import type { Loan } from '../../subgraphs/lending/domain/schedules/loan.ts'

const loan: Loan = {
  terms: {
    method: 'annuity',
    installments: 360,
    start: '2026-01-31',
    frequency: 'monthly',
    everyDays: null,
    dayCount: 'act-act',
    annualRate: ofPercent('4.85'),
    balloonMinor: 0n,
    principalGrace: 0,
    interestGrace: 0,
    multipleMinor: 1n,
  },
  disbursements: [{ on: '2026-01-31', amountMinor: 35_000_000n }],
  rateChanges: [],
  holidays: [],
  extraPayments: [],
}
const goalMs = 2

/** The schedule of thirty years, and where it stands on a day in the middle, as a night asks for it. */
export function benchSchedules(): void {
  const schedule = medianMs(() => scheduleOf(loan, 'EUR'))
  const standing = medianMs(() => standingOn(loan, '2041-02-14', 'EUR'))
  report('schedule of 360 installments', schedule)
  report('standing after 15 years', standing)
}

const report = (what: string, ms: number) =>
  record({
    what,
    value: `${ms.toFixed(2)} ms`,
    ratio: ms / goalMs,
    goal: `at most ${goalMs} ms`,
    isMet: ms <= goalMs,
  })

function medianMs(work: () => unknown): number {
  const turns = Array.from({ length: 200 }, () => {
    const from = performance.now()
    work()
    return performance.now() - from
  })
  return turns.toSorted((one, other) => one - other)[100]!
}
