import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { internalAccountId } from '../../_ledger/domain/account.ts'
import { credit, debit, oweLess } from './accounts.ts'
import { moveFacility, type Facility } from './facility.ts'
import { book, type FacilityFact, type Serviced } from './servicing.ts'

/**
 * Takes what is owed off the books: the bank does not expect to see it again. The facility has been
 * brought to the day. Refuses with INVALID_STATE_TRANSITION.
 */
export function chargeOff(before: Serviced, on: LocalDate): Serviced {
  const facility = moveFacility(before.facility, 'charged-off')
  const { principalMinor, accruedMinor, interestDueMinor, currency } = facility
  const total = principalMinor + accruedMinor + interestDueMinor
  const after: Facility = {
    ...facility,
    principalMinor: 0n,
    accruedMinor: 0n,
    interestDueMinor: 0n,
    principalDueMinor: 0n,
    nextDueDate: null,
    nextDueMinor: 0n,
    chargedOffMinor: total,
  }
  const legs = [
    debit(lossesOf(currency), total, currency),
    oweLess(facility, 'principal', principalMinor),
    oweLess(facility, 'accrued', accruedMinor),
    oweLess(facility, 'interest-due', interestDueMinor),
  ]
  const told = tellOf({ ...before, facility: after }, 'charged-off')
  return total === 0n ? told : book(told, { on, text: 'Charged off', legs })
}

/**
 * Books a recovery. The facility stays charged off until everything has been recovered.
 * Rejects with INVALID_STATE_TRANSITION, EXCEEDS_PAYOFF_AMOUNT.
 */
export function recover(
  before: Serviced,
  amountMinor: bigint,
  on: LocalDate,
  accountId: string,
): Serviced {
  const { facility } = before
  const { chargedOffMinor, currency } = facility
  requireRecoverable(facility)
  if (amountMinor > chargedOffMinor) {
    const left = `${formatAmount(chargedOffMinor, currency)} ${currency}`
    const code = 'EXCEEDS_PAYOFF_AMOUNT'
    const detail = `${left} of what was charged off has not been recovered; the recovery is larger.`
    throw new Problem(code, { detail, errors: [{ pointer: '/amount', code, detail }] })
  }
  const legs = [
    debit(accountId, amountMinor, currency),
    credit(lossesOf(currency), amountMinor, currency),
  ]
  const received = tellOf(
    { ...before, facility: { ...facility, chargedOffMinor: chargedOffMinor - amountMinor } },
    'recovery-received',
  )
  const booked = book(received, { on, text: 'Recovered', legs })
  if (amountMinor < chargedOffMinor) return booked
  return tellOf({ ...booked, facility: moveFacility(booked.facility, 'recovered') }, 'recovered')
}

/** Checks that recoveries can be booked. Rejects with INVALID_STATE_TRANSITION. */
export function requireRecoverable(facility: Facility): void {
  moveFacility(facility, 'recovered')
}

/** Writes off what is left of a charged-off facility. Rejects with INVALID_STATE_TRANSITION. */
export function writeOff(before: Serviced): Serviced {
  return tellOf(
    { ...before, facility: moveFacility(before.facility, 'written-off') },
    'written-off',
  )
}

function lossesOf(currency: string): string {
  return internalAccountId('loan-losses', currency)
}

function tellOf(serviced: Serviced, fact: FacilityFact): Serviced {
  return { ...serviced, tell: [...serviced.tell, fact] }
}
