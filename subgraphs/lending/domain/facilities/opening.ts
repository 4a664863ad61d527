import type { FacilityKind } from '../../model/facilities/enumerations.ts'
import type {
  RepaymentMethod,
  RepaymentFrequency,
  DayCount,
} from '../../model/schedules/enumerations.ts'
import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount, type Money } from '../../../../kernel/domain/money.ts'
import { Problem } from '../problems.ts'
import type { ValidationError } from '../../../../kernel/domain/problem-members.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { calendarOf } from '../schedules/calendar.ts'
import { toDate, toDay } from '../../../../kernel/domain/day-count.ts'
import type { Facility } from './facility.ts'
import { maxInstallments, type LoanTerms } from '../schedules/loan.ts'
import { validationError, validationFailed, inputProblem } from '../schedules/refusals.ts'
import { readLoan, scheduleFor, type ScheduleRequest } from '../schedules/schedule-request.ts'

/** The terms of a facility to open. Rates are in percent per year. */
export interface NewFacility {
  customerId: string
  kind: FacilityKind
  productId?: string | null
  productVersion?: string | null
  applicationId?: string | null
  agreementId?: string | null
  limit: Money
  ratePct: string
  installments?: number | null
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

/** The maximum age, in days, of a loan that is taken over from another system. */
const maxDaysBack = 50 * 366
const maxCoveragePct = 1000
const revolvingInstallments = 12

/**
 * Returns the requested number of installments. If none is requested, a revolving limit has as many
 * as it needs to mature after the last day on which it can be drawn, or twelve if there is no such
 * day.
 */
export function installmentsOf(
  { kind, installments, frequency, everyDays, availableTo }: NewFacility,
  openedOn: LocalDate,
): number {
  if (installments) return installments
  if (kind !== 'revolving' || !availableTo) return revolvingInstallments
  const calendar = calendarOf(openedOn, frequency, everyDays ?? null)
  const last = toDay(availableTo)
  let count = 1
  while (count < maxInstallments && calendar.dueDay(count) <= last) count++
  return count
}

/**
 * Creates a facility from which nothing has been drawn. Throws OPENED_AT_IN_FUTURE,
 * BACKDATE_NOT_ALLOWED, INVALID_DATE_RANGE, CURRENCY_MISMATCH, and VALIDATION_FAILED for invalid
 * terms.
 */
export function newFacility(
  input: NewFacility,
  base: Versioned & { facilityId: string; partyId: string },
  today: LocalDate,
): Facility {
  const { limit, minimumDrawdown } = input
  const openedOn = openingDay(input, today)
  const availableFrom = input.availableFrom ?? openedOn
  const availableTo = input.availableTo ?? null
  if (availableTo !== null && availableTo < availableFrom) {
    throw inputProblem(
      'INVALID_DATE_RANGE',
      '/availableTo',
      `availableTo is ${availableTo}; it must not be before ${availableFrom}.`,
    )
  }
  if (minimumDrawdown && minimumDrawdown.currency !== limit.currency) {
    throw inputProblem(
      'CURRENCY_MISMATCH',
      '/minimumDrawdown/currency',
      `The minimum drawdown must be in ${limit.currency}, the currency of the limit.`,
    )
  }
  requirePlausibleFigures(input)
  if (input.kind === 'revolving' && availableTo !== null)
    requireMaturityAfter(input, openedOn, availableTo)
  return {
    ...base,
    customerId: input.customerId,
    kind: input.kind,
    state: 'approved',
    currency: limit.currency,
    limitMinor: limit.amountMinor,
    ratePct: input.ratePct,
    productId: input.productId ?? null,
    productVersion: input.productVersion ?? null,
    applicationId: input.applicationId ?? null,
    agreementId: input.agreementId ?? null,
    settlementArrangementId: input.settlementArrangementId ?? null,
    openedOn,
    availableFrom,
    availableTo,
    requiredCoveragePct: input.requiredCoveragePct ?? null,
    minimumDrawdownMinor: minimumDrawdown?.amountMinor ?? 0n,
    isApprovalRequired: input.isApprovalRequired,
    upfrontFees: [],
    lateCharges: null,
    readerIds: [],
    lateChargePauses: [],
    floatingRate: null,
    loan: {
      terms: termsOf(input, openedOn),
      disbursements: [],
      rateChanges: [],
      holidays: [],
      extraPayments: [],
    },
    ...zeroFigures,
    accruedThrough: openedOn,
    closedThrough: addDays(openedOn, -1),
  }
}

const zeroFigures = {
  scheduleVersion: 0,
  maturityDate: null,
  nextDueDate: null,
  nextDueMinor: 0n,
  billedInstallments: 0,
  disbursedMinor: 0n,
  upfrontFeesChargedMinor: 0n,
  reservedMinor: 0n,
  principalMinor: 0n,
  accruedMinor: 0n,
  interestDueMinor: 0n,
  principalDueMinor: 0n,
  feesDueMinor: 0n,
  penaltiesDueMinor: 0n,
  accruedTotalMinor: 0n,
  delinquencyStage: 'current',
  delinquencyBuckets: '',
  delinquencyBucket: null,
  chargedOffMinor: 0n,
} as const

function openingDay({ openedOn }: NewFacility, today: LocalDate): LocalDate {
  if (!openedOn) return today
  if (openedOn > today)
    throw inputProblem(
      'OPENED_AT_IN_FUTURE',
      '/openedOn',
      `openedOn is ${openedOn}; it must not be after today, ${today}.`,
    )
  const earliest = addDays(today, -maxDaysBack)
  if (openedOn >= earliest) return openedOn
  throw inputProblem(
    'BACKDATE_NOT_ALLOWED',
    '/openedOn',
    `openedOn is ${openedOn}; it must not be before ${earliest}.`,
  )
}

/**
 * Checks that a revolving limit matures after the last day on which it can be drawn. Throws
 * INVALID_DATE_RANGE.
 */
function requireMaturityAfter(
  input: NewFacility,
  openedOn: LocalDate,
  availableTo: LocalDate,
): void {
  const calendar = calendarOf(openedOn, input.frequency, input.everyDays ?? null)
  const maturity = calendar.dueDay(installmentsOf(input, openedOn))
  if (maturity > toDay(availableTo)) return
  const detail = `The limit matures on ${toDate(maturity)}, not after availableTo (${availableTo}). Send more installments, or omit installments.`
  throw inputProblem('INVALID_DATE_RANGE', '/availableTo', detail)
}

function requirePlausibleFigures({
  requiredCoveragePct,
  minimumDrawdown,
  kind,
  ...input
}: NewFacility) {
  const faults: ValidationError[] = []
  const coverage = Number(requiredCoveragePct ?? 0)
  if (coverage < 0 || coverage > maxCoveragePct) {
    faults.push(
      validationError(
        '/requiredCoveragePct',
        'OUT_OF_RANGE',
        `The value must be from 0 to ${maxCoveragePct}.`,
      ),
    )
  }
  if (minimumDrawdown && minimumDrawdown.amountMinor < 0n) {
    faults.push(
      validationError(
        '/minimumDrawdown/amount',
        'OUT_OF_RANGE',
        'The amount must not be negative.',
      ),
    )
  }
  const isRevolving = kind === 'revolving'
  if (!isRevolving && !input.installments) {
    faults.push(validationError('/installments', 'REQUIRED', 'Send the number of installments.'))
  }
  if (isRevolving && input.method && input.method !== 'interest-only') {
    faults.push(
      validationError(
        '/method',
        'NOT_ALLOWED',
        'A revolving limit must use the method INTEREST_ONLY.',
      ),
    )
  }
  if (faults.length > 0) throw validationFailed(...faults)
}

/** Returns the terms. They are validated by computing a schedule for the full limit. */
function termsOf(input: NewFacility, openedOn: LocalDate): LoanTerms {
  const isRevolving = input.kind === 'revolving'
  const { limit } = input
  const request: ScheduleRequest = {
    currency: limit.currency,
    annualRatePercent: input.ratePct,
    disbursements: [{ on: openedOn, amount: formatAmount(limit.amountMinor, limit.currency) }],
    method: isRevolving ? 'interest-only' : (input.method ?? 'annuity'),
    installments: installmentsOf(input, openedOn),
    frequency: input.frequency,
    everyDays: input.everyDays ?? null,
    dayCount: input.dayCount,
    balloonAmount: input.balloonAmount ?? null,
  }
  try {
    scheduleFor(request)
    const { terms } = readLoan(request)
    return isRevolving ? { ...terms, isRevolving } : terms
  } catch (error) {
    throw error instanceof Problem ? withFacilityPointers(error) : error
  }
}

/** The pointers of the facility request, by the corresponding pointers of the schedule request. */
const facilityPointers: Record<string, string> = {
  '/annualRatePercent': '/ratePct',
  '/disbursements': '/limit/amount',
  '/disbursements/0/amount': '/limit/amount',
}

function withFacilityPointers({ code, members }: Problem): Problem {
  const errors = members.errors?.map((each) => {
    return { ...each, pointer: facilityPointers[each.pointer!] ?? each.pointer! }
  })
  return new Problem(code, { ...members, ...(errors && { errors }) })
}
