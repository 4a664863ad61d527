import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { accrue } from './accrue.ts'
import type { AccrualInputs } from './accrued-day.ts'
import { outstandingOf, type InterestPosition } from './position.ts'

/** What a balance would earn from a day until another day, in minor units. */
export interface Preview {
  grossMinor: bigint
  taxMinor: bigint
}

/**
 * Returns what a balance earns from the day `from` until the day `until`, on which everything is
 * paid. Interest that is paid meanwhile earns interest itself.
 */
export function previewInterest(
  inputs: Pick<AccrualInputs, 'position' | 'termsOn' | 'isExemptOn'>,
  balanceMinor: bigint,
  from: LocalDate,
  until: LocalDate,
): Preview {
  const position: InterestPosition = {
    ...inputs.position,
    accruedThrough: addDays(from, -1),
    periodStart: from,
    isClosing: false,
    balanceMinor,
    ahead: [],
    accruedUnits: 0n,
    accruedMinor: 0n,
    capitalizedMinor: 0n,
    daysBeyondLimit: 0,
  }
  const { capitalizations } = accrue({
    ...inputs,
    position,
    movements: [],
    seenSequence: position.seenSequence,
    accruedDays: new Map(),
    term: null,
    through: addDays(until, -1),
    mayPay: true,
    payNow: 'request',
  })
  const sum = (member: 'grossMinor' | 'taxMinor') =>
    capitalizations.reduce((total, payment) => total + payment[member], 0n)
  return { grossMinor: sum('grossMinor'), taxMinor: sum('taxMinor') }
}

/**
 * Returns the interest that is paid if the account is closed now: everything that is accrued and not
 * paid, with the days that have ended and are not accrued yet.
 */
export function dueOnClosure(inputs: AccrualInputs, through: LocalDate): bigint {
  return outstandingOf(accrue({ ...inputs, through, mayPay: false }).position)
}
