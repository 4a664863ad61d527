import { DuePart } from '../../model/repayments/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { requireServiced, type Facility } from '../facilities/facility.ts'
import { amendFacility, type ScheduleChange } from '../facilities/schedule-change.ts'
import { correctCharges } from '../late-charges/late-charges.ts'
import type { ExtraPayment } from '../schedules/loan.ts'
import { chargeLate, correctBookings, type ServicedFacility } from '../servicing/servicing.ts'
import { applyAllocations, partOf, withPaidOn } from './due-installment.ts'
import { withDelinquency, type Repayment, type RepaymentPlan } from './repayment.ts'

/** The fields of a repayment or an extra payment that are needed to reverse its effects. */
export type AllocatedRepayment = Pick<
  Repayment,
  'allocations' | 'extraInterestMinor' | 'extraPrincipalMinor' | 'extraPayment' | 'paymentDate'
>

/**
 * Reverses the effects of a repayment as of a day. Installments that are unpaid again are past due
 * according to their original due dates. Throws FACILITY_NOT_ACTIVE, and whatever `amendFacility`
 * throws.
 */
export function reverseRepaymentEffect(
  before: ServicedFacility,
  repayment: AllocatedRepayment,
  today: LocalDate,
): RepaymentPlan {
  requireServiced(before.facility)
  const { allocations, extraInterestMinor, extraPrincipalMinor, extraPayment } = repayment
  const [fees, penalties, interest, principal] = DuePart.values.map((part) =>
    partOf(allocations, part),
  ) as [bigint, bigint, bigint, bigint]
  const change = extraPayment && withoutExtraPayment(before.facility, extraPayment)
  const facility = change?.facility ?? before.facility
  const after: Facility = {
    ...facility,
    feesDueMinor: facility.feesDueMinor + fees,
    penaltiesDueMinor: facility.penaltiesDueMinor + penalties,
    interestDueMinor: facility.interestDueMinor + interest,
    principalDueMinor: facility.principalDueMinor + principal,
    principalMinor: facility.principalMinor + principal + extraPrincipalMinor,
    accruedMinor: facility.accruedMinor + extraInterestMinor,
  }
  const { paymentDate } = repayment
  const unpaid = applyAllocations(before.dues, allocations, -1n)
  const recharged = correctCharges(unpaid, after, allocations, paymentDate, -1n)
  const dues = withPaidOn(recharged, before.dues, today)
  const corrected = chargeLate(correctBookings({ ...before, facility: after, dues }), today)
  return { serviced: withDelinquency(corrected, today), change, extraPayment }
}

function withoutExtraPayment(facility: Facility, extraPayment: ExtraPayment): ScheduleChange {
  const of = { kind: 'extra-payment', extraPayment } as const
  return amendFacility(facility, { kind: 'reversal', of })
}
