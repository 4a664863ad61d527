import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../problems.ts'
import { owedOf, overdueMinor, type DueInstallment } from '../repayments/due-installment.ts'
import { settle } from '../repayments/repayment.ts'
import { validationError, validationFailed } from '../schedules/refusals.ts'
import { bookingTexts } from '../servicing/booking-texts.ts'
import { bookLateCharges, type ServicedFacility } from '../servicing/servicing.ts'

/** Late charges of an installment that the bank waives. Amounts are in minor units. */
export interface Waiver {
  serviced: ServicedFacility
  feesMinor: bigint
  penaltiesMinor: bigint
}

/**
 * Waives the unpaid late charges of an installment on a facility that was brought to today. Default
 * interest continues while the installment is overdue. Throws VALIDATION_FAILED for a number without
 * an installment that is due, and STATE_CONFLICT if there is nothing to waive.
 */
export function waiveLateCharges(
  before: ServicedFacility,
  installment: number,
  today: LocalDate,
): Waiver {
  const { facility } = before
  const due = before.dues.find(({ number }) => number === installment)
  if (!due) {
    const detail = `Installment ${installment} does not exist or is not due.`
    throw validationFailed(validationError('/installment', 'NOT_FOUND', detail))
  }
  const { fees, penalties } = owedOf(due).owedMinor
  if (fees + penalties === 0n) {
    const detail = `Installment ${installment} has no unpaid late charges.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId: facility.facilityId })
  }
  const waived: DueInstallment = {
    ...due,
    charges: {
      ...due.charges,
      feesWaivedMinor: due.charges.feesWaivedMinor + fees,
      penaltiesWaivedMinor: due.charges.penaltiesWaivedMinor + penalties,
    },
    paidOn: overdueMinor(due) === 0n ? today : null,
  }
  const dues = before.dues.map((each) => (each === due ? waived : each))
  const serviced = settle(bookLateCharges({ ...before, dues }, today, bookingTexts.waiver), today)
  return { serviced, feesMinor: fees, penaltiesMinor: penalties }
}
