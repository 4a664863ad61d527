import type { InterestTreatment, TermTreatment } from '../../model/schedules/enumerations.ts'
import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { payDues } from '../repayments/pay-dues.ts'
import { debitLoan } from '../facilities/accounts.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import { dueMinorOf, type Facility } from '../facilities/facility.ts'
import type { HardshipRequest } from '../../model/relief/hardship-request.ts'
import { requireEligible } from './hardship-request.ts'
import { maxInstallments, type Reduction } from '../schedules/loan.ts'
import {
  type EarlierHoliday,
  type HolidayTerms,
  planHoliday,
  type HolidayPlan,
} from './payment-holiday.ts'
import { ofPercent } from '../../../../kernel/domain/rational.ts'
import { validationError, validationFailed, inputProblem } from '../schedules/refusals.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'
import { withDelinquency } from '../repayments/repayment.ts'
import {
  amendFacility,
  currentVersion,
  type ScheduleChange,
} from '../facilities/schedule-change.ts'
import { bookingTexts } from '../servicing/booking-texts.ts'
import { book, type ServicedFacility } from '../servicing/servicing.ts'
import type { Relief } from '../schedules/version.ts'

/** The requested relief. The required fields depend on the type of the hardship request. */
export interface ReliefRequest {
  startDate?: LocalDate | null
  /**
   * The number of installments of a payment holiday or reduction. If null, the relief covers the
   * installments due up to the requested end date, or one installment if there is no end date.
   */
  installments?: number | null
  extraInstallments?: number | null
  /** The maximum installment amount, in minor units. */
  installmentMinor?: bigint | null
  ratePct?: string | null
  isArrearsCapitalized?: boolean | null
  interestTreatment?: InterestTreatment | null
  termTreatment?: TermTreatment | null
}

/** The planned effects of a relief. */
export interface ReliefPlan {
  serviced: ServicedFacility
  change: ScheduleChange
  /** The payment holiday; null for other types of relief. */
  holiday: HolidayPlan | null
}

/**
 * Plans a relief on a loan that was brought to today. The type of the request determines the
 * relief: a payment holiday; more installments; a temporary maximum for installments; or a
 * restructuring with a new rate, more installments or arrears added to the principal. Throws
 * LOAN_NOT_ELIGIBLE_STATE, NO_INSTALMENT_IN_PERIOD, PERIOD_TOO_LONG, VALIDATION_FAILED for missing
 * or invalid fields, and whatever `planHoliday` and `amendFacility` throw.
 */
export function planRelief(
  loan: ServicedFacility,
  request: HardshipRequest,
  input: ReliefRequest,
  policy: ProductPolicy,
  earlierHolidays: readonly EarlierHoliday[],
  today: LocalDate,
): ReliefPlan {
  requireEligible(loan.facility)
  if (request.type === 'payment-holiday')
    return holidayRelief(loan, request, input, policy, earlierHolidays)
  const relief = reliefOf(loan.facility, request, input, policy, today)
  const before = relief.capitalized ? capitalize(loan, relief.capitalized.amountMinor, today) : loan
  const change = amendFacility(before.facility, { kind: 'hardship-relief', relief })
  const { facility } = change
  // A rate that was agreed as relief does not change with the reference rate.
  const relieved = relief.rateChange ? { ...facility, floatingRate: null } : facility
  return { serviced: { ...before, facility: relieved }, change, holiday: null }
}

function holidayRelief(
  loan: ServicedFacility,
  { requestedStartDate, requestedEndDate }: HardshipRequest,
  { startDate, installments, interestTreatment, termTreatment }: ReliefRequest,
  policy: ProductPolicy,
  earlierHolidays: readonly EarlierHoliday[],
): ReliefPlan {
  const from = startDate ?? requestedStartDate ?? loan.facility.nextDueDate
  if (from === null) {
    throw inputProblem(
      'NO_INSTALMENT_IN_PERIOD',
      '/relief/startDate',
      'The loan has no more installments to pause.',
    )
  }
  const input: HolidayTerms = {
    startDate: from,
    endDate: installments ? null : requestedEndDate,
    installments,
    interestTreatment,
    termTreatment,
  }
  const holiday = planHoliday(loan.facility, input, policy, earlierHolidays, true)
  requireLength(from, holiday.endDate, policy)
  const { change } = holiday
  return { serviced: { ...loan, facility: change.facility }, change, holiday }
}

function reliefOf(
  loan: Facility,
  request: HardshipRequest,
  input: ReliefRequest,
  policy: ProductPolicy,
  on: LocalDate,
): Relief {
  const { extraInstallments, ratePct, isArrearsCapitalized } = input
  const extensionField =
    typeof extraInstallments === 'number'
      ? { extension: { on, installments: extensionOf(extraInstallments) } }
      : {}
  if (request.type === 'term-extension') {
    if (extensionField.extension) return extensionField
    throw validationFailed(
      validationError(
        '/relief/extraInstallments',
        'REQUIRED',
        'Send the number of installments to add.',
      ),
    )
  }
  if (request.type === 'temporary-reduction') {
    return { ...extensionField, reduction: reductionOf(loan, request, input, policy) }
  }
  const dueMinor = dueMinorOf(loan)
  const isCapitalized = isArrearsCapitalized === true && dueMinor > 0n
  if (!ratePct && !extensionField.extension && !isCapitalized) {
    throw validationFailed(
      validationError(
        '/relief',
        'REQUIRED',
        'Send a new rate or extra installments, or capitalize the arrears.',
      ),
    )
  }
  return {
    ...extensionField,
    ...(ratePct && { rateChange: { from: addDays(on, 1), annualRate: rateOf(ratePct) } }),
    ...(isCapitalized && { capitalized: { on, amountMinor: dueMinor } }),
  }
}

function extensionOf(installments: number): number {
  if (installments >= 1 && installments <= maxInstallments) return installments
  const detail = `The value must be from 1 to ${maxInstallments}.`
  throw validationFailed(validationError('/relief/extraInstallments', 'OUT_OF_RANGE', detail))
}

function rateOf(ratePct: string) {
  if (/^\d{1,4}(\.\d{1,10})?$/.test(ratePct)) return ofPercent(ratePct)
  throw validationFailed(
    validationError('/relief/ratePct', 'OUT_OF_RANGE', 'The rate must be from 0 to 9,999 percent.'),
  )
}

function reductionOf(
  loan: Facility,
  { requestedStartDate, requestedEndDate }: HardshipRequest,
  { startDate, installments, installmentMinor, interestTreatment }: ReliefRequest,
  policy: ProductPolicy,
): Reduction {
  if (!installmentMinor || installmentMinor <= 0n) {
    const detail = 'Send the maximum installment amount, greater than zero.'
    throw validationFailed(validationError('/relief/installmentAmount', 'REQUIRED', detail))
  }
  if (interestTreatment === 'waive') {
    const detail = 'A temporary reduction cannot waive interest. Use DEFER or CAPITALIZE.'
    throw validationFailed(validationError('/relief/interestTreatment', 'NOT_SUPPORTED', detail))
  }
  const lines = currentVersion(loan)!.schedule.installments.slice(loan.billedInstallments)
  const from = startDate ?? requestedStartDate ?? loan.nextDueDate ?? '9999-12-31'
  const upcoming = lines.filter(({ dueDate }) => dueDate >= from)
  const until = requestedEndDate
  const countInPeriod = until ? upcoming.filter(({ dueDate }) => dueDate <= until).length : 1
  const count = installments ?? countInPeriod
  const last = upcoming[count - 1]
  if (!last) {
    const detail = 'The loan has fewer installments in the requested period. Send a smaller number.'
    throw inputProblem('NO_INSTALMENT_IN_PERIOD', '/relief/installments', detail)
  }
  requireLength(from, last.dueDate, policy)
  return {
    fromInstallment: upcoming[0]!.number,
    installments: count,
    amountMinor: installmentMinor,
    interest: interestTreatment ?? 'defer',
  }
}

function requireLength(from: LocalDate, until: LocalDate, { hardshipReliefMonths }: ProductPolicy) {
  if (until <= toDate(addMonths(from, hardshipReliefMonths))) return
  const detail = `The relief must last at most ${hardshipReliefMonths} months.`
  throw inputProblem('PERIOD_TOO_LONG', '/relief/installments', detail)
}

/** Adds the amount due to the principal. */
function capitalize(loan: ServicedFacility, dueMinor: bigint, today: LocalDate): ServicedFacility {
  const { serviced, legs } = payDues(loan, dueMinor, today)
  const { facility } = serviced
  const booked = book(
    { ...serviced, facility: { ...facility, principalMinor: facility.principalMinor + dueMinor } },
    {
      on: today,
      text: bookingTexts.capitalizedArrears,
      legs: [debitLoan(facility, 'principal', dueMinor), ...legs],
    },
  )
  return withDelinquency(booked, today)
}
