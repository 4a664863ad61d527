import { DuePart } from '../../model/repayments/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { creditLoan } from '../facilities/accounts.ts'
import type { Facility } from '../facilities/facility.ts'
import { chargesAsOf, correctCharges } from '../late-charges/late-charges.ts'
import type { ServicedFacility } from '../servicing/servicing.ts'
import { allocateTo, applyAllocations, partOf, withPaidOn } from './due-installment.ts'

/** Pays the amounts due on a day, oldest first. `leftMinor` in the result is the rest of the payment. */
export function payDues(serviced: ServicedFacility, amountMinor: bigint, on: LocalDate) {
  const before = serviced.facility
  const areChargesPaidLast = before.lateCharges?.arePaidLast ?? false
  const owed = chargesAsOf(serviced.dues, before, on)
  const { allocations, leftMinor } = allocateTo(owed, amountMinor, areChargesPaidLast)
  const [fees, penalties, interest, principal] = DuePart.values.map((part) =>
    partOf(allocations, part),
  ) as [bigint, bigint, bigint, bigint]
  const facility: Facility = {
    ...before,
    feesDueMinor: before.feesDueMinor - fees,
    penaltiesDueMinor: before.penaltiesDueMinor - penalties,
    interestDueMinor: before.interestDueMinor - interest,
    principalDueMinor: before.principalDueMinor - principal,
    principalMinor: before.principalMinor - principal,
  }
  const legs = [
    creditLoan(before, 'fees', fees),
    creditLoan(before, 'penalties', penalties),
    creditLoan(before, 'interest-due', interest),
    creditLoan(before, 'principal', principal),
  ]
  const paid = applyAllocations(serviced.dues, allocations)
  const dues = withPaidOn(correctCharges(paid, before, allocations, on), serviced.dues, on)
  return { serviced: { ...serviced, facility, dues }, allocations, legs, leftMinor }
}
