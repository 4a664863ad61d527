import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { toDate, toDay } from '../../../../kernel/domain/day-count.ts'
import { isServiced } from '../facilities/facility.ts'
import { dayAfterCharged } from '../late-charges/pause.ts'
import { unpaidMinor } from '../repayments/due-installment.ts'
import { facilityDelinquency, repay, settle, withDelinquency } from '../repayments/repayment.ts'
import { bucketStarts } from './delinquency-bucket.ts'
import { advanceTo, type ServicedFacility } from './servicing.ts'

/** The balance from which installments can be collected. Each collection decreases it. */
export interface AvailableFunds {
  accountId: string
  leftMinor: bigint
}

/**
 * Runs the end of day of a facility from the day after its last closed day through `through`: books
 * interest, makes installments due, collects them, and updates the delinquency stage. Days on which
 * nothing changes are skipped.
 */
export function closeDays(
  before: ServicedFacility,
  through: LocalDate,
  funds: AvailableFunds | null,
): ServicedFacility {
  let serviced = before
  while (isServiced(serviced.facility) && serviced.facility.closedThrough < through) {
    serviced = closeDay(serviced, nextDay(serviced, through), funds)
  }
  return serviced
}

function closeDay(
  before: ServicedFacility,
  day: LocalDate,
  funds: AvailableFunds | null,
): ServicedFacility {
  const collected = collect(advanceTo(before, day), day, funds)
  const settled = settle(collected, day)
  const updated = isServiced(settled.facility) ? withDelinquency(settled, addDays(day, 1)) : settled
  return { ...updated, facility: { ...updated.facility, closedThrough: day } }
}

/** The numbers of days past due at which the delinquency stage changes. */
const stageDays = [1, 30, 90]

/** Returns the next day at the end of which something changes, at most the last day to close. */
function nextDay(serviced: ServicedFacility, through: LocalDate): LocalDate {
  const { closedThrough, nextDueDate } = serviced.facility
  const last = toDay(closedThrough)
  const { oldestDueDate } = facilityDelinquency(serviced, '9999-12-31')
  const { lateCharges, lateChargePauses } = serviced.facility
  const chargeDays = lateCharges
    ? serviced.dues.map(({ dueDate }) =>
        toDay(dayAfterCharged(dueDate, lateCharges.graceDays + 1, lateChargePauses)),
      )
    : []
  const stages =
    oldestDueDate === null
      ? []
      : [...stageDays, ...bucketStarts(serviced.facility.delinquencyBuckets)].map(
          (days) => toDay(oldestDueDate) + days - 1,
        )
  const dueDays = nextDueDate === null ? [] : [toDay(nextDueDate)]
  const days = [...dueDays, ...stages, ...chargeDays, toDay(through)]
  const next = Math.min(...days.filter((day) => day > last), toDay(through))
  return toDate(next)
}

/** Collects full installments that are due, oldest first, as far as the balance allows. */
function collect(
  serviced: ServicedFacility,
  day: LocalDate,
  funds: AvailableFunds | null,
): ServicedFacility {
  if (!funds || funds.leftMinor <= 0n) return serviced
  let amountMinor = 0n
  for (const due of serviced.dues) {
    const dueMinor = unpaidMinor(due)
    if (amountMinor + dueMinor > funds.leftMinor) break
    amountMinor += dueMinor
  }
  if (amountMinor === 0n) return serviced
  funds.leftMinor -= amountMinor
  return repay(serviced, amountMinor, { on: day, today: day, accountId: funds.accountId }).serviced
}
