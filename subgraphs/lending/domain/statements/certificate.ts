import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { valueDateWindowDays } from '../../../../ledger/domain/posting.ts'
import { isServiced, type Facility } from '../facilities/facility.ts'
import { addDebt, noDebt, type Debt } from './debt.ts'
import type { Movement } from './movement.ts'
import type { Statement, StatementPeriod } from './statement.ts'

/** What a borrower paid on a facility in a calendar year, and what was owed at its end. */
export interface Certificate {
  year: number
  facility: Facility
  /** What the borrower paid, by parts. Reversed payments are subtracted on the day of the reversal. */
  paid: Debt
  /** The upfront fees and prepayment fees that were paid. */
  feesPaidMinor: bigint
  /** What was recovered after a charge-off. */
  recoveredMinor: bigint
  closing: Debt
  /** Whether the figures can no longer change. */
  isFinal: boolean
}

/** Returns the period of a calendar year. */
export function periodOfYear(year: number): StatementPeriod {
  const name = String(year).padStart(4, '0')
  return { from: `${name}-01-01`, to: `${name}-12-31` }
}

/** The movements that are payments of the borrower, or change what payments covered. */
const paymentKinds: ReadonlySet<Movement['kind']> = new Set([
  'repayment',
  'repayment-reversed',
  'extra-payment',
  'extra-payment-reversed',
  'payments-reallocated',
] as const)

/** Returns the certificate of a year from the statement of the year. */
export function certificateOf(year: number, statement: Statement, today: LocalDate): Certificate {
  const { facility, movements, closing, to } = statement
  let [changes, feesPaidMinor, recoveredMinor] = [noDebt, 0n, 0n]
  for (const { kind, change, feeMinor } of movements) {
    if (paymentKinds.has(kind)) changes = addDebt(changes, change)
    if (kind === 'recovery') recoveredMinor -= change.chargedOffMinor
    feesPaidMinor += feeMinor
  }
  const isClosed = facility.closedThrough >= to || !isServiced(facility)
  const isFinal = isClosed && addDays(to, valueDateWindowDays) < today
  const paid = negate(changes)
  return { year, facility, paid, feesPaidMinor, recoveredMinor, closing, isFinal }
}

function negate(debt: Debt): Debt {
  return {
    principalMinor: -debt.principalMinor,
    interestMinor: -debt.interestMinor,
    lateFeesMinor: -debt.lateFeesMinor,
    defaultInterestMinor: -debt.defaultInterestMinor,
    chargedOffMinor: -debt.chargedOffMinor,
  }
}
