import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { calendarOf, toDate, toDay, type RepaymentFrequency } from './calendar.ts'
import type { DayCount } from './day-count.ts'
import type { Facility, FacilityKind } from './facility.ts'
import { mostInstalments, type LoanTerms, type RepaymentMethod } from './loan.ts'
import { fault, invalid } from './refusals.ts'
import { readLoan, scheduleFor, type ScheduleRequest } from './schedule-request.ts'

/** What a facility is opened with. Rates are decimal percent a year. */
export interface NewFacility {
  customerId: string
  kind: FacilityKind
  productId?: string | null
  productVersion?: string | null
  applicationId?: string | null
  agreementId?: string | null
  limit: Money
  ratePct: string
  instalments?: number | null
  method?: RepaymentMethod | null
  frequency: RepaymentFrequency
  everyDays?: number | null
  dayCount: DayCount
  balloonAmount?: string | null
  settlementArrangementId?: string | null
  openedOn?: LocalDate | null
  availableFrom?: LocalDate | null
  availableTo?: LocalDate | null
  requiredCoveragePct?: string | null
  minimumDrawdown?: Money | null
  isApprovalRequired: boolean
}

/** A loan that is taken over may be this old. */
const mostDaysBack = 50 * 366
const mostCoveragePct = 1000
const revolvingInstalments = 12

/**
 * The number of installments: as asked for. A revolving limit has twelve, or as many as it takes to
 * mature after the last day on which it can be drawn.
 */
export function instalmentsOf(
  { kind, instalments, frequency, everyDays, availableTo }: NewFacility,
  openedOn: LocalDate,
): number {
  if (instalments) return instalments
  if (kind !== 'revolving' || !availableTo) return revolvingInstalments
  const calendar = calendarOf(openedOn, frequency, everyDays ?? null)
  const last = toDay(availableTo)
  let count = 1
  while (count < mostInstalments && calendar.dueDay(count) <= last) count++
  return count
}

/**
 * Opens a facility as it was agreed; nothing is drawn yet.
 * Refuses with OPENED_AT_IN_FUTURE, BACKDATE_NOT_ALLOWED, INVALID_DATE_RANGE, CURRENCY_MISMATCH,
 * and VALIDATION_FAILED for terms that no loan can have.
 */
export function newFacility(
  asked: NewFacility,
  made: Versioned & { facilityId: string; partyId: string },
  today: LocalDate,
): Facility {
  const { limit, minimumDrawdown } = asked
  const openedOn = openingDay(asked, today)
  const availableFrom = asked.availableFrom ?? openedOn
  const availableTo = asked.availableTo ?? null
  if (availableTo !== null && availableTo < availableFrom) {
    throw refuse('INVALID_DATE_RANGE', '/availableTo', `Not before ${availableFrom}.`)
  }
  if (minimumDrawdown && minimumDrawdown.currency !== limit.currency) {
    throw refuse('CURRENCY_MISMATCH', '/minimumDrawdown/currency', `It is in ${limit.currency}.`)
  }
  requireSaneFigures(asked)
  if (asked.kind === 'revolving' && availableTo !== null)
    requireOpenUntil(asked, openedOn, availableTo)
  return {
    ...made,
    customerId: asked.customerId,
    kind: asked.kind,
    state: 'approved',
    currency: limit.currency,
    limitMinor: limit.amountMinor,
    ratePct: asked.ratePct,
    productId: asked.productId ?? null,
    productVersion: asked.productVersion ?? null,
    applicationId: asked.applicationId ?? null,
    agreementId: asked.agreementId ?? null,
    settlementArrangementId: asked.settlementArrangementId ?? null,
    openedOn,
    availableFrom,
    availableTo,
    requiredCoveragePct: asked.requiredCoveragePct ?? null,
    minimumDrawdownMinor: minimumDrawdown?.amountMinor ?? 0n,
    isApprovalRequired: asked.isApprovalRequired,
    upfrontFees: [],
    loan: {
      terms: termsOf(asked, openedOn),
      disbursements: [],
      rateChanges: [],
      holidays: [],
      extraPayments: [],
    },
    ...nothingYet,
    accruedThrough: openedOn,
    closedThrough: addDays(openedOn, -1),
  }
}

const nothingYet = {
  scheduleVersion: 0,
  maturityDate: null,
  nextDueDate: null,
  nextDueMinor: 0n,
  billedInstalments: 0,
  disbursedMinor: 0n,
  upfrontFeesChargedMinor: 0n,
  reservedMinor: 0n,
  principalMinor: 0n,
  accruedMinor: 0n,
  interestDueMinor: 0n,
  principalDueMinor: 0n,
  accruedTotalMinor: 0n,
  delinquencyStage: 'current',
  chargedOffMinor: 0n,
} as const

function openingDay({ openedOn }: NewFacility, today: LocalDate): LocalDate {
  if (!openedOn) return today
  if (openedOn > today) throw refuse('OPENED_AT_IN_FUTURE', '/openedOn', `Today is ${today}.`)
  const earliest = addDays(today, -mostDaysBack)
  if (openedOn >= earliest) return openedOn
  throw refuse('BACKDATE_NOT_ALLOWED', '/openedOn', `Not before ${earliest}.`)
}

/** A limit that can be drawn until a day matures after it. Rejects with INVALID_DATE_RANGE. */
function requireOpenUntil(asked: NewFacility, openedOn: LocalDate, availableTo: LocalDate): void {
  const calendar = calendarOf(openedOn, asked.frequency, asked.everyDays ?? null)
  const maturity = calendar.dueDay(instalmentsOf(asked, openedOn))
  if (maturity > toDay(availableTo)) return
  const detail = `The limit matures on ${toDate(maturity)}, not after availableTo (${availableTo}). Send more installments, or none to derive them.`
  throw refuse('INVALID_DATE_RANGE', '/availableTo', detail)
}

function requireSaneFigures({ requiredCoveragePct, minimumDrawdown, kind, ...asked }: NewFacility) {
  const faults: Fault[] = []
  const coverage = Number(requiredCoveragePct ?? 0)
  if (coverage < 0 || coverage > mostCoveragePct) {
    faults.push(fault('/requiredCoveragePct', 'OUT_OF_RANGE', `From 0 to ${mostCoveragePct}.`))
  }
  if (minimumDrawdown && minimumDrawdown.amountMinor < 0n) {
    faults.push(fault('/minimumDrawdown/amount', 'OUT_OF_RANGE', 'Not negative.'))
  }
  const isRevolving = kind === 'revolving'
  if (!isRevolving && !asked.instalments) {
    faults.push(fault('/instalments', 'REQUIRED', 'In how many instalments it is repaid.'))
  }
  if (isRevolving && asked.method && asked.method !== 'interest-only') {
    faults.push(fault('/method', 'NOT_ALLOWED', 'A revolving limit pays interest only.'))
  }
  if (faults.length > 0) throw invalid(...faults)
}

/** The terms, as the schedule of the whole limit proves them possible. */
function termsOf(asked: NewFacility, openedOn: LocalDate): LoanTerms {
  const isRevolving = asked.kind === 'revolving'
  const { limit } = asked
  const request: ScheduleRequest = {
    currency: limit.currency,
    annualRatePercent: asked.ratePct,
    disbursements: [{ on: openedOn, amount: formatAmount(limit.amountMinor, limit.currency) }],
    method: isRevolving ? 'interest-only' : (asked.method ?? 'annuity'),
    instalments: instalmentsOf(asked, openedOn),
    frequency: asked.frequency,
    everyDays: asked.everyDays ?? null,
    dayCount: asked.dayCount,
    balloonAmount: asked.balloonAmount ?? null,
  }
  try {
    scheduleFor(request)
    const { terms } = readLoan(request)
    return isRevolving ? { ...terms, isRevolving } : terms
  } catch (error) {
    throw error instanceof Problem ? inMembersOf(error) : error
  }
}

/** What the schedule's request calls a member, a facility calls by another name. */
const memberOf: Record<string, string> = {
  '/annualRatePercent': '/ratePct',
  '/disbursements': '/limit/amount',
  '/disbursements/0/amount': '/limit/amount',
}

function inMembersOf({ code, members }: Problem): Problem {
  const errors = members.errors?.map((each) => {
    return { ...each, pointer: memberOf[each.pointer!] ?? each.pointer! }
  })
  return new Problem(code, { ...members, ...(errors && { errors }) })
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
