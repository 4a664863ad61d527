import { Decimal } from 'decimal.js'
import { addMonths, toDate, toDay } from '../../../../kernel/domain/day-count.ts'
import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { resetMonths } from '../../../../kernel/domain/rate-reset.ts'
import { ofPercent } from '../../../../kernel/domain/rational.ts'
import {
  fixingOn,
  floatingRatePct,
  type RateFixing,
  type ReferenceRateFact,
} from '../../../../kernel/domain/reference-rate.ts'
import { isServiced, type Facility } from '../facilities/facility.ts'
import {
  amendFacility,
  currentVersion,
  installmentsToBill,
  type ScheduleChange,
} from '../facilities/schedule-change.ts'
import type { Installment, Loan } from '../schedules/loan.ts'
import { effectOf, type AmendmentEffect, type ScheduleVersion } from '../schedules/version.ts'

/** A reset of the rate of a facility. It is recorded even if the rate stays the same. */
export interface RateReset {
  facilityId: string
  resetOn: LocalDate
  /** The first day of the rate: the reset date, or later if an installment was due in between. */
  effectiveFrom: LocalDate
  referenceRateId: string
  fixedOn: LocalDate
  fixingPct: string
  previousRatePct: string
  ratePct: string
  /** The schedule version that the reset created; null if the rate did not change. */
  scheduleVersion: number | null
}

/** A facility after its resets, with the schedules that they created. */
export interface AppliedResets {
  facility: Facility
  resets: readonly RateReset[]
  changes: readonly ScheduleChange[]
}

/** Returns the next reset date; null if the facility follows no reference rate or has no date left. */
export function nextResetOn({ floatingRate, loan, maturityDate }: Facility): LocalDate | null {
  if (floatingRate === null) return null
  const { start } = loan.terms
  const last = floatingRate.lastResetOn ?? start
  const step = resetMonths[floatingRate.frequency]
  let months = step
  while (addMonths(start, months) <= toDay(last)) months += step
  const next = toDate(addMonths(start, months))
  return maturityDate !== null && next >= maturityDate ? null : next
}

/** Returns the rate that applies on a day, in percent per year. */
export function ratePctOn({ terms, rateChanges }: Loan, day: LocalDate): string {
  const latest = rateChanges
    .filter(({ from }) => from <= day)
    .reduce<(typeof rateChanges)[number] | null>(
      (found, each) => (found === null || each.from >= found.from ? each : found),
      null,
    )
  const { num, den } = latest?.annualRate ?? terms.annualRate
  return new Decimal(num.toString()).times(100).div(den.toString()).toFixed()
}

/**
 * Applies the resets of a facility through the end of a business date, and those of the next morning
 * whose fixing is recorded for exactly its day. A reset without a fixing waits for it, and with it
 * all later ones.
 */
export function applyResets(
  before: Facility,
  rate: ReferenceRateFact | null,
  through: LocalDate,
): AppliedResets {
  let applied: AppliedResets = { facility: before, resets: [], changes: [] }
  while (isServiced(applied.facility)) {
    const resetOn = nextResetOn(applied.facility)
    const fixing = resetOn && fixingOfReset(applied.facility, resetOn, rate, through)
    if (!fixing) break
    const { facility, reset, change } = planReset(applied.facility, resetOn, fixing)
    applied = {
      facility,
      resets: [...applied.resets, reset],
      changes: change ? [...applied.changes, change] : applied.changes,
    }
  }
  return applied
}

function fixingOfReset(
  { floatingRate }: Facility,
  resetOn: LocalDate,
  rate: ReferenceRateFact | null,
  through: LocalDate,
): RateFixing | null {
  const morning = addDays(through, 1)
  if (resetOn > morning) return null
  const day = addDays(resetOn, -floatingRate!.lookbackDays)
  const fixing = fixingOn(rate, day)
  return resetOn === morning && fixing?.fixedOn !== day ? null : fixing
}

/** A reset with its effect on the borrower. */
interface PlannedReset {
  facility: Facility
  reset: RateReset
  /** The new schedule; null if the rate stays the same. */
  change: ScheduleChange | null
  /** What the reset changes, with the first installment after it. */
  effect: AmendmentEffect
}

/** Plans the reset of a rate with a fixing, for the end of day and for the preview. */
export function planReset(
  before: Facility,
  resetOn: LocalDate,
  { fixedOn, ratePct: fixingPct }: Pick<RateFixing, 'fixedOn' | 'ratePct'>,
): PlannedReset {
  const floatingRate = before.floatingRate!
  const current = currentVersion(before)!
  const effectiveFrom = effectiveDay(before, current, resetOn)
  const previousRatePct = ratePctOn(before.loan, effectiveFrom)
  const ratePct = floatingRatePct(fixingPct, floatingRate.marginPct, floatingRate)
  const isChanged = !new Decimal(ratePct).eq(previousRatePct)
  const rateChange = { from: effectiveFrom, annualRate: ofPercent(ratePct) }
  const amended = isChanged ? amendFacility(before, { kind: 'rate-change', rateChange }) : null
  const isBefore = ({ dueDate }: Installment) => dueDate <= effectiveFrom
  const repaid = current.schedule.installments.filter(isBefore).length
  const effect = effectOf(current, amended?.version ?? current, repaid)
  const { referenceRateId } = floatingRate
  return {
    facility: {
      ...(amended?.facility ?? before),
      floatingRate: { ...floatingRate, lastResetOn: resetOn },
    },
    reset: {
      facilityId: before.facilityId,
      resetOn,
      effectiveFrom,
      referenceRateId,
      fixedOn,
      fixingPct,
      previousRatePct,
      ratePct,
      scheduleVersion: amended && amended.version.version,
    },
    change: amended && { ...amended, effect },
    effect,
  }
}

/** Returns the first day of the new rate: installments that became due do not change. */
function effectiveDay(
  { loan, billedInstallments }: Facility,
  { schedule }: ScheduleVersion,
  resetOn: LocalDate,
): LocalDate {
  const billed = installmentsToBill(schedule)[billedInstallments - 1]
  const earliest = billed?.dueDate ?? loan.terms.start
  return resetOn > earliest ? resetOn : earliest
}
