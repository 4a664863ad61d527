import type { PromiseToPay } from '../../model/promises/promise-to-pay.ts'
import type { PromiseToPayStatus } from '../../model/promises/enumerations.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { dueMinorOf, owedMinorOf, requireServiced, type Facility } from '../facilities/facility.ts'
import { Problem } from '../problems.ts'
import {
  inputProblem,
  requirePositive,
  validationError,
  validationFailed,
} from '../schedules/refusals.ts'

/** A promise as it is to be recorded. */
export interface PromisedPayment {
  amountMinor: bigint
  payBy: LocalDate
  note?: string | null
}

/**
 * The number of days after its last day in which payments with an earlier date, and payments that
 * bounce, still change a promise. The ledger accepts value dates as far back.
 */
export const revisionDays = 30

const maxNoteLength = 500

/**
 * Creates a promise. `maxDays` is how far ahead its last day may be. Throws FACILITY_NOT_ACTIVE,
 * NOTHING_DUE, EXCEEDS_PAYOFF_AMOUNT, INVALID_PAYMENT_DATE, and VALIDATION_FAILED for an amount that
 * is not positive or a note that is empty or too long.
 */
export function makePromise(
  facility: Facility,
  { amountMinor, payBy, note = null }: PromisedPayment,
  maxDays: number,
  base: Versioned & Pick<PromiseToPay, 'promiseToPayId' | 'recordedBy'>,
): PromiseToPay {
  const { facilityId, partyId, currency } = facility
  requireServiced(facility)
  requirePositive(amountMinor)
  if (dueMinorOf(facility) === 0n) {
    throw new Problem('NOTHING_DUE', {
      detail: `Nothing is due on ${facilityId}.`,
      resourceId: facilityId,
    })
  }
  const owedMinor = owedMinorOf(facility)
  if (amountMinor > owedMinor) {
    const owed = formatAmount(owedMinor, currency)
    const detail = `The amount must be at most ${owed} ${currency}, which is everything owed.`
    throw inputProblem('EXCEEDS_PAYOFF_AMOUNT', '/amount', detail)
  }
  const madeOn = dateOf(base.createdAt)
  const latest = addDays(madeOn, maxDays)
  if (payBy < madeOn || payBy > latest) {
    const detail = `The last day is ${payBy}; it must be from ${madeOn} to ${latest}.`
    throw inputProblem('INVALID_PAYMENT_DATE', '/payBy', detail)
  }
  requireNote(note)
  return {
    ...base,
    facilityId,
    partyId,
    currency,
    amountMinor,
    status: 'open',
    madeOn,
    payBy,
    note,
  }
}

function requireNote(note: string | null): void {
  if (note === null) return
  const { length } = note.trim()
  if (length >= 1 && length <= maxNoteLength) return
  const detail = `The note must have 1 to ${maxNoteLength} characters.`
  throw validationFailed(validationError('/note', 'LENGTH_INVALID', detail))
}

/**
 * Returns the status of a promise. `receivedMinor` is what was paid from its first to its last day,
 * and `isOver` whether the last day is closed, so that no collection of this day is to come. A
 * promise that was kept is broken if a payment bounces, and a broken one is kept if a payment with
 * an earlier date arrives.
 */
export function statusOfPromise(
  { status, amountMinor }: Pick<PromiseToPay, 'status' | 'amountMinor'>,
  receivedMinor: bigint,
  isOver: boolean,
): PromiseToPayStatus {
  if (status === 'cancelled') return status
  if (receivedMinor >= amountMinor) return 'kept'
  return status === 'open' && !isOver ? 'open' : 'broken'
}
