import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { owe } from './accounts.ts'
import { addMonths, toDate } from './calendar.ts'
import type { Facility } from './facility.ts'
import { requireEligible, type HardshipRequest } from './hardship-request.ts'
import {
  mostInstalments,
  type InterestTreatment,
  type Reduction,
  type TermTreatment,
} from './loan.ts'
import type { Earlier, HolidayAsked } from './payment-holiday.ts'
import { planHoliday, type HolidayPlan } from './payment-holiday.ts'
import { ofPercent } from './rational.ts'
import { fault, invalid } from './refusals.ts'
import type { ReliefPolicy } from './relief-policy.ts'
import { withDelinquency } from './repayment.ts'
import { amendFacility, currentVersion, type ScheduleChange } from './schedule-change.ts'
import { book, payDues, type Serviced } from './servicing.ts'
import type { Relief } from './version.ts'

/** What the bank grants; what each type needs of it is said there. */
export interface ReliefAsked {
  startDate?: LocalDate | null
  /** Instalments of a holiday or of a reduction; those due by the requested end when absent. */
  instalments?: number | null
  extraInstalments?: number | null
  /** What an instalment is lowered to, in minor units. */
  instalmentMinor?: bigint | null
  ratePct?: string | null
  isArrearsCapitalised?: boolean | null
  interestTreatment?: InterestTreatment | null
  termTreatment?: TermTreatment | null
}

/** What a relief comes to. */
export interface ReliefPlan {
  serviced: Serviced
  change: ScheduleChange
  /** The holiday that it is, of the type that is one. */
  holiday: HolidayPlan | null
}

/**
 * Works a relief out, on a loan that was brought to today: a holiday; more instalments; instalments of at
 * most an amount for a while; or another rate, more instalments and what is overdue repaid with the rest.
 * Refuses with LOAN_NOT_ELIGIBLE_STATE, VALIDATION_FAILED (what the type needs and is not there),
 * NO_INSTALMENT_IN_PERIOD, PERIOD_TOO_LONG, and as `planHoliday` and `amendFacility`.
 */
export function planRelief(
  loan: Serviced,
  request: HardshipRequest,
  asked: ReliefAsked,
  policy: ReliefPolicy,
  earlier: readonly Earlier[],
  today: LocalDate,
): ReliefPlan {
  requireEligible(loan.facility)
  if (request.type === 'payment-holiday')
    return holidayRelief(loan, request, asked, policy, earlier)
  const relief = reliefOf(loan.facility, request, asked, policy, today)
  const before = relief.capitalised ? capitalise(loan, relief.capitalised.amountMinor, today) : loan
  const change = amendFacility(before.facility, { kind: 'hardship-relief', relief })
  return { serviced: { ...before, facility: change.facility }, change, holiday: null }
}

function holidayRelief(
  loan: Serviced,
  { requestedStartDate, requestedEndDate }: HardshipRequest,
  { startDate, instalments, interestTreatment, termTreatment }: ReliefAsked,
  policy: ReliefPolicy,
  earlier: readonly Earlier[],
): ReliefPlan {
  const from = startDate ?? requestedStartDate ?? loan.facility.nextDueDate
  if (from === null) {
    throw refuse('NO_INSTALMENT_IN_PERIOD', '/relief/startDate', 'No instalment is due any more.')
  }
  const asked: HolidayAsked = {
    startDate: from,
    endDate: instalments ? null : requestedEndDate,
    instalments,
    interestTreatment,
    termTreatment,
  }
  const holiday = planHoliday(loan.facility, asked, policy, earlier, true)
  requireLength(from, holiday.endDate, policy)
  const { change } = holiday
  return { serviced: { ...loan, facility: change.facility }, change, holiday }
}

function reliefOf(
  loan: Facility,
  request: HardshipRequest,
  asked: ReliefAsked,
  policy: ReliefPolicy,
  on: LocalDate,
): Relief {
  const { extraInstalments, ratePct, isArrearsCapitalised } = asked
  const extension =
    typeof extraInstalments === 'number'
      ? { extension: { on, instalments: extensionOf(extraInstalments) } }
      : {}
  if (request.type === 'term-extension') {
    if (extension.extension) return extension
    throw invalid(fault('/relief/extraInstalments', 'REQUIRED', 'How many instalments more.'))
  }
  if (request.type === 'temporary-reduction') {
    return { ...extension, reduction: reductionOf(loan, request, asked, policy) }
  }
  const dueMinor = loan.interestDueMinor + loan.principalDueMinor
  const isCapitalised = isArrearsCapitalised === true && dueMinor > 0n
  if (!ratePct && !extension.extension && !isCapitalised) {
    throw invalid(fault('/relief', 'REQUIRED', 'A rate, instalments or arrears to change.'))
  }
  return {
    ...extension,
    ...(ratePct && { rateChange: { from: addDays(on, 1), annualRate: rateOf(ratePct) } }),
    ...(isCapitalised && { capitalised: { on, amountMinor: dueMinor } }),
  }
}

function extensionOf(instalments: number): number {
  if (instalments >= 1 && instalments <= mostInstalments) return instalments
  const detail = `From 1 to ${mostInstalments}.`
  throw invalid(fault('/relief/extraInstalments', 'OUT_OF_RANGE', detail))
}

function rateOf(ratePct: string) {
  if (/^\d{1,4}(\.\d{1,10})?$/.test(ratePct)) return ofPercent(ratePct)
  throw invalid(fault('/relief/ratePct', 'OUT_OF_RANGE', 'From 0 to 9,999 percent.'))
}

function reductionOf(
  loan: Facility,
  { requestedStartDate, requestedEndDate }: HardshipRequest,
  { startDate, instalments, instalmentMinor, interestTreatment }: ReliefAsked,
  policy: ReliefPolicy,
): Reduction {
  if (!instalmentMinor || instalmentMinor <= 0n) {
    const detail = 'What an instalment is lowered to, more than nothing.'
    throw invalid(fault('/relief/instalmentAmount', 'REQUIRED', detail))
  }
  if (interestTreatment === 'waive') {
    const detail = 'Interest beyond the instalment is paid later or added to what is owed.'
    throw invalid(fault('/relief/interestTreatment', 'NOT_SUPPORTED', detail))
  }
  const lines = currentVersion(loan)!.schedule.instalments.slice(loan.billedInstalments)
  const from = startDate ?? requestedStartDate ?? loan.nextDueDate ?? '9999-12-31'
  const ahead = lines.filter(({ dueDate }) => dueDate >= from)
  const until = requestedEndDate
  const asked = until ? ahead.filter(({ dueDate }) => dueDate <= until).length : 1
  const count = instalments ?? asked
  const last = ahead[count - 1]
  if (!last) {
    const detail = 'No instalment is due then, or not so many.'
    throw refuse('NO_INSTALMENT_IN_PERIOD', '/relief/instalments', detail)
  }
  requireLength(from, last.dueDate, policy)
  return {
    fromInstalment: ahead[0]!.number,
    instalments: count,
    amountMinor: instalmentMinor,
    interest: interestTreatment ?? 'defer',
  }
}

function requireLength(from: LocalDate, until: LocalDate, { hardshipReliefMonths }: ReliefPolicy) {
  if (until <= toDate(addMonths(from, hardshipReliefMonths))) return
  const detail = `At most ${hardshipReliefMonths} months.`
  throw refuse('PERIOD_TOO_LONG', '/relief/instalments', detail)
}

/** What was due is owed as principal, and repaid with the rest from now on. */
function capitalise(loan: Serviced, dueMinor: bigint, today: LocalDate): Serviced {
  const { serviced, legs } = payDues(loan, dueMinor, today)
  const { facility } = serviced
  const booked = book(
    { ...serviced, facility: { ...facility, principalMinor: facility.principalMinor + dueMinor } },
    {
      on: today,
      text: 'Arrears added to principal',
      legs: [owe(facility, 'principal', dueMinor), ...legs],
    },
  )
  return withDelinquency(booked, today)
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
