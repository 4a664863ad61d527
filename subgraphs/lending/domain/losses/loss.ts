import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { credit, debit, creditLoan } from '../facilities/accounts.ts'
import { owedMinorOf, transitionFacility, type Facility } from '../facilities/facility.ts'
import { inputProblem } from '../schedules/refusals.ts'
import { book, type FacilityEventName, type ServicedFacility } from '../servicing/servicing.ts'

/**
 * Charges off the outstanding amount of a facility that was brought to the day of the charge-off.
 * The facility leaves its delinquency bucket.
 * Throws INVALID_STATE_TRANSITION.
 */
export function chargeOff(before: ServicedFacility, on: LocalDate): ServicedFacility {
  const facility = transitionFacility(before.facility, 'charged-off')
  const { principalMinor, accruedMinor, interestDueMinor, currency } = facility
  const total = owedMinorOf(facility)
  const after: Facility = {
    ...facility,
    principalMinor: 0n,
    accruedMinor: 0n,
    interestDueMinor: 0n,
    principalDueMinor: 0n,
    feesDueMinor: 0n,
    penaltiesDueMinor: 0n,
    nextDueDate: null,
    nextDueMinor: 0n,
    delinquencyBucket: null,
    chargedOffMinor: total,
  }
  const legs = [
    debit(lossesOf(currency), total, currency),
    creditLoan(facility, 'principal', principalMinor),
    creditLoan(facility, 'accrued', accruedMinor),
    creditLoan(facility, 'interest-due', interestDueMinor),
    creditLoan(facility, 'fees', facility.feesDueMinor),
    creditLoan(facility, 'penalties', facility.penaltiesDueMinor),
  ]
  const chargedOff = withEvent({ ...before, facility: after }, 'charged-off')
  return total === 0n ? chargedOff : book(chargedOff, { on, text: 'Charge-off', legs })
}

/**
 * Books a recovery. The facility stays charged off until the whole charged-off amount has been
 * recovered. Throws INVALID_STATE_TRANSITION and EXCEEDS_PAYOFF_AMOUNT.
 */
export function recover(
  before: ServicedFacility,
  amountMinor: bigint,
  on: LocalDate,
  accountId: string,
): ServicedFacility {
  const { facility } = before
  const { chargedOffMinor, currency } = facility
  requireRecoverable(facility)
  if (amountMinor > chargedOffMinor) {
    const [unrecovered, requested] = [chargedOffMinor, amountMinor].map(
      (minor) => `${formatAmount(minor, currency)} ${currency}`,
    )
    const detail = `The amount is ${requested}; only ${unrecovered} of the charged-off amount is left to recover.`
    throw inputProblem('EXCEEDS_PAYOFF_AMOUNT', '/amount', detail)
  }
  const legs = [
    debit(accountId, amountMinor, currency),
    credit(lossesOf(currency), amountMinor, currency),
  ]
  const withRecovery = withEvent(
    { ...before, facility: { ...facility, chargedOffMinor: chargedOffMinor - amountMinor } },
    'recovery-received',
  )
  const booked = book(withRecovery, { on, text: 'Recovery', legs })
  if (amountMinor < chargedOffMinor) return booked
  return withEvent(
    { ...booked, facility: transitionFacility(booked.facility, 'recovered') },
    'recovered',
  )
}

/** Checks that a recovery can be booked on a facility. Throws INVALID_STATE_TRANSITION. */
export function requireRecoverable(facility: Facility): void {
  transitionFacility(facility, 'recovered')
}

/** Writes off the rest of a charged-off facility. Throws INVALID_STATE_TRANSITION. */
export function writeOff(before: ServicedFacility): ServicedFacility {
  return withEvent(
    { ...before, facility: transitionFacility(before.facility, 'written-off') },
    'written-off',
  )
}

function lossesOf(currency: string): string {
  return internalAccountId('loan-losses', currency)
}

function withEvent(serviced: ServicedFacility, eventName: FacilityEventName): ServicedFacility {
  return { ...serviced, eventNames: [...serviced.eventNames, eventName] }
}
