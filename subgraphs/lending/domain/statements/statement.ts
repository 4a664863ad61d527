import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Facility } from '../facilities/facility.ts'
import { installmentsToBill } from '../facilities/schedule-change.ts'
import { ratePctOn } from '../rate-resets/rate-reset.ts'
import type { DueInstallment } from '../repayments/due-installment.ts'
import type { Installment, Schedule } from '../schedules/loan.ts'
import { addDebt, isNoDebt, noDebt, totalDebtMinor, unpaidMinorOf, type Debt } from './debt.ts'
import { mergeAccruals, type Movement } from './movement.ts'

/** A period of whole days, with its first and its last day. */
export interface StatementPeriod {
  from: LocalDate
  to: LocalDate
}

/** A movement with the total that is owed after it, in minor units. */
export interface StatedMovement extends Movement {
  balanceAfterMinor: bigint
}

/** What happened to the debt of a facility in a period. Opening plus all movements is closing. */
export interface Statement extends StatementPeriod {
  facility: Facility
  opening: Debt
  closing: Debt
  movements: readonly StatedMovement[]
  /** Whether the facility had a schedule at the end of the period. */
  hasSchedule: boolean
  /** The first installment after the period by that schedule; null if there is none. */
  nextInstallment: Installment | null
}

/** What a statement is made of. */
export interface StatementRecords {
  /** What was owed before the period. */
  opening: Debt
  /** The movements that were booked in the period. */
  booked: readonly Movement[]
  dues: readonly DueInstallment[]
  /** The schedule at the end of the period; null if there was none. */
  schedule: Schedule | null
}

/**
 * Returns the statement of a facility from its debt before the period and the movements that were booked
 * in it. Installments that became due and changes of the rate, which have no postings, are added.
 */
export function statementOf(
  facility: Facility,
  { from, to }: StatementPeriod,
  { opening, booked, dues, schedule }: StatementRecords,
): Statement {
  const isInPeriod = ({ valueDate }: Movement) => valueDate >= from && valueDate <= to
  const unbooked = [
    ...rateChangesOf(facility),
    ...dues.map((due) => dueMovement(due, facility.currency)),
    ...writeOffOf(facility),
  ].filter(isInPeriod)
  const isEmpty = ({ kind, change }: Movement) => kind === 'interest' && isNoDebt(change)
  const inOrder = mergeAccruals([...booked, ...unbooked].toSorted(byDay))
  let closing = opening
  const movements = inOrder
    .filter((movement) => !isEmpty(movement))
    .map((movement) => {
      closing = addDebt(closing, movement.change)
      return { ...movement, balanceAfterMinor: totalDebtMinor(closing) }
    })
  const nextInstallment = schedule && nextInstallmentAfter(schedule, to, closing)
  const hasSchedule = schedule !== null
  return { facility, from, to, opening, closing, movements, hasSchedule, nextInstallment }
}

/** The order of movements on a day; all others follow in the order of their booking. */
const firstKinds: readonly Movement['kind'][] = [
  'rate-change',
  'interest',
  'interest-capitalized',
  'installment-due',
]

function byDay(one: Movement, other: Movement): number {
  if (one.valueDate !== other.valueDate) return one.valueDate < other.valueDate ? -1 : 1
  return rankOf(one) - rankOf(other)
}

function rankOf({ kind }: Movement): number {
  const index = firstKinds.indexOf(kind)
  return index === -1 ? firstKinds.length : index
}

const unbookedMovement = {
  bookedAt: null,
  amountMinor: 0n,
  change: noDebt,
  feeMinor: 0n,
  ratePct: null,
  origin: null,
}

function rateChangesOf({ loan }: Facility): Movement[] {
  const days = [...new Set(loan.rateChanges.map(({ from }) => from))]
  return days.map((valueDate) => {
    const ratePct = ratePctOn(loan, valueDate)
    const text = `Interest rate ${ratePct} %`
    return { ...unbookedMovement, kind: 'rate-change', valueDate, text, ratePct }
  })
}

function dueMovement(due: DueInstallment, currency: string): Movement {
  const { number, dueDate: valueDate, interestMinor, principalMinor } = due
  const amountMinor = interestMinor + principalMinor
  const text = `Installment ${number} due: ${formatAmount(amountMinor, currency)} ${currency}`
  return { ...unbookedMovement, kind: 'installment-due', valueDate, text, amountMinor }
}

/** Returns the write-off of a facility. Nothing changes the facility after it. */
function writeOffOf({ state, updatedAt, chargedOffMinor }: Facility): Movement[] {
  if (state !== 'written-off') return []
  const valueDate = dateOf(updatedAt)
  const amountMinor = chargedOffMinor
  return [{ ...unbookedMovement, kind: 'write-off', valueDate, text: 'Write-off', amountMinor }]
}

/**
 * Returns the first installment after a day at whose end a debt was left. A loan that was repaid or
 * charged off before its end keeps a schedule, but has no further installments.
 */
function nextInstallmentAfter(schedule: Schedule, day: LocalDate, debt: Debt): Installment | null {
  if (unpaidMinorOf(debt) === 0n) return null
  const isNext = ({ dueDate, paymentMinor }: Installment) => dueDate > day && paymentMinor > 0n
  return installmentsToBill(schedule).find(isNext) ?? null
}
