import type { Holiday } from '../../model/schedules/schedule.ts'
import type {
  RepaymentMethod,
  RepaymentFrequency,
  DayCount,
  ExtraPaymentStrategy,
} from '../../model/schedules/enumerations.ts'
import { isLocalDate, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { isCurrency, minorDigits, parseAmount } from '../../../../kernel/domain/money.ts'
import { Problem } from '../problems.ts'
import type { ValidationError } from '../../../../kernel/domain/problem-members.ts'
import { maxInstallments, type Loan, type Schedule } from './loan.ts'
import { ofPercent } from '../../../../kernel/domain/rational.ts'
import { validationError, validationFailed } from './refusals.ts'
import { scheduleOf } from './schedule.ts'

/**
 * The request for a schedule. Amounts are decimals in the currency; rates are in percent per year.
 */
export interface ScheduleRequest {
  currency: string
  annualRatePercent: string
  rateChanges?: readonly { from: LocalDate; annualRatePercent: string }[] | null
  disbursements: readonly { on: LocalDate; amount: string }[]
  scheduleStart?: LocalDate | null
  method: RepaymentMethod
  installments: number
  frequency: RepaymentFrequency
  everyDays?: number | null
  dayCount: DayCount
  balloonAmount?: string | null
  principalGraceInstallments?: number | null
  interestGraceInstallments?: number | null
  principalMultipleOf?: string | null
  holidays?: readonly Holiday[] | null
  extraPayments?:
    readonly { on: LocalDate; amount: string; strategy: ExtraPaymentStrategy }[] | null
}

/** The maximum length of each list: one event per month for 50 years. */
export const maxPerKind = 600
const highestRatePercent = 10_000
/** The maximum number of digits before the decimal point of an amount. */
const maxDigits = 15

/**
 * Computes the schedule of the requested loan. Throws VALIDATION_FAILED if the loan is impossible
 * or an amount is too large.
 */
export function scheduleFor(request: ScheduleRequest): Schedule {
  const { currency } = request
  const schedule = scheduleOf(readLoan(request), currency)
  const limit = 10n ** BigInt(maxDigits + minorDigits(currency))
  const { totalPaymentMinor, totalInterestMinor, installments } = schedule
  const isTooLarge =
    totalPaymentMinor >= limit ||
    totalInterestMinor >= limit ||
    installments.some(({ balanceMinor }) => balanceMinor >= limit)
  if (!isTooLarge) return schedule
  const detail = `An amount of the schedule has more than ${maxDigits} digits before the decimal point.`
  throw validationFailed(validationError('/disbursements', 'INVALID_AMOUNT', detail))
}

/**
 * Validates a request and returns the loan. Throws VALIDATION_FAILED with the validation errors.
 */
export function readLoan(request: ScheduleRequest): Loan {
  const { currency } = request
  if (!isCurrency(currency)) {
    throw validationFailed(
      validationError('/currency', 'CURRENCY_INVALID', 'An ISO 4217 code such as EUR.'),
    )
  }
  const faults: ValidationError[] = [...listFaults(request), ...termFaults(request)]
  const readMinor = (text: string, pointer: string, minimum: bigint) =>
    readAmount(text, currency, pointer, minimum, faults)
  const disbursements = request.disbursements.slice(0, maxPerKind).map(({ on, amount }, place) => ({
    on,
    amountMinor: readMinor(amount, `/disbursements/${place}/amount`, 1n),
  }))
  const extraPayments = (request.extraPayments ?? [])
    .slice(0, maxPerKind)
    .map(({ on, amount, strategy }, place) => {
      const minimum = strategy === 'payoff' ? 0n : 1n
      const amountMinor = readMinor(amount, `/extraPayments/${place}/amount`, minimum)
      return { on, strategy, amountMinor }
    })
  const { balloonAmount, principalMultipleOf } = request
  const balloonMinor = balloonAmount ? readMinor(balloonAmount, '/balloonAmount', 0n) : 0n
  const multipleMinor = principalMultipleOf
    ? readMinor(principalMultipleOf, '/principalMultipleOf', 1n)
    : 1n
  const disbursedMinor = disbursements.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  if (balloonMinor > disbursedMinor) {
    faults.push(
      validationError(
        '/balloonAmount',
        'OUT_OF_RANGE',
        'The balloon amount must not exceed the amount disbursed.',
      ),
    )
  }
  if (faults.length > 0) throw validationFailed(...faults)
  const firstDate = disbursements.map(({ on }) => on).toSorted()[0]!
  const start = request.scheduleStart ?? firstDate
  const dateErrors = dateFaults(request, start)
  if (dateErrors.length > 0) throw validationFailed(...dateErrors)
  return {
    terms: { ...termsOf(request, start), balloonMinor, multipleMinor },
    disbursements,
    extraPayments,
    rateChanges: (request.rateChanges ?? []).map(({ from, annualRatePercent }) => ({
      from,
      annualRate: ofPercent(annualRatePercent),
    })),
    holidays: request.holidays ?? [],
  }
}

function termsOf(request: ScheduleRequest, start: LocalDate) {
  return {
    method: request.method,
    installments: request.installments,
    start,
    frequency: request.frequency,
    everyDays: request.everyDays ?? null,
    dayCount: request.dayCount,
    annualRate: ofPercent(request.annualRatePercent),
    principalGrace: request.principalGraceInstallments ?? 0,
    interestGrace: request.interestGraceInstallments ?? 0,
  }
}

function readAmount(
  text: string,
  currency: string,
  pointer: string,
  minimum: bigint,
  faults: ValidationError[],
): bigint {
  try {
    const amount = parseAmount(text, currency, pointer)
    if (amount >= minimum) return amount
    const detail =
      minimum === 0n ? 'The amount must not be negative.' : 'The amount must be greater than zero.'
    faults.push(validationError(pointer, 'OUT_OF_RANGE', detail))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    faults.push(...error.members.errors!)
  }
  return 0n
}

function listFaults(request: ScheduleRequest): ValidationError[] {
  const lists = ['disbursements', 'rateChanges', 'holidays', 'extraPayments'] as const
  const lengthFaults = lists
    .filter((list) => (request[list]?.length ?? 0) > maxPerKind)
    .map((list) => validationError(`/${list}`, 'TOO_MANY', `Send at most ${maxPerKind} entries.`))
  if (request.disbursements.length > 0) return lengthFaults
  const detail = 'Send at least one disbursement.'
  return [...lengthFaults, validationError('/disbursements', 'REQUIRED', detail)]
}

function termFaults(request: ScheduleRequest): ValidationError[] {
  const { installments, method, frequency, everyDays, balloonAmount } = request
  const faults: ValidationError[] = []
  const checkRange = (pointer: string, min: number, value: number, max: number) => {
    if (value >= min && value <= max) return
    faults.push(
      validationError(pointer, 'OUT_OF_RANGE', `The value must be from ${min} to ${max}.`),
    )
  }
  const checkRate = (pointer: string, percent: string) =>
    checkRange(pointer, 0, Number(percent), highestRatePercent)
  checkRange('/installments', 1, installments, maxInstallments)
  checkRate('/annualRatePercent', request.annualRatePercent)
  for (const [place, { annualRatePercent }] of (request.rateChanges ?? []).entries()) {
    checkRate(`/rateChanges/${place}/annualRatePercent`, annualRatePercent)
  }
  for (const member of ['principalGraceInstallments', 'interestGraceInstallments'] as const) {
    checkRange(`/${member}`, 0, request[member] ?? 0, Math.max(0, installments - 1))
  }
  if (frequency === 'days') {
    if (everyDays === null || everyDays === undefined) {
      faults.push(
        validationError('/everyDays', 'REQUIRED', 'Send the number of days between installments.'),
      )
    } else checkRange('/everyDays', 1, everyDays, 366)
  } else if (everyDays !== null && everyDays !== undefined) {
    faults.push(
      validationError(
        '/everyDays',
        'NOT_ALLOWED',
        'everyDays is allowed only with the frequency DAYS.',
      ),
    )
  }
  if (method === 'balloon' && !balloonAmount) {
    faults.push(
      validationError(
        '/balloonAmount',
        'REQUIRED',
        'The method BALLOON requires a balloon amount.',
      ),
    )
  }
  if (method !== 'balloon' && balloonAmount) {
    faults.push(
      validationError(
        '/balloonAmount',
        'NOT_ALLOWED',
        'A balloon amount is allowed only with the method BALLOON.',
      ),
    )
  }
  if (method !== 'equal-principal' && request.principalMultipleOf) {
    const detail = 'principalMultipleOf is allowed only with the method EQUAL_PRINCIPAL.'
    faults.push(validationError('/principalMultipleOf', 'NOT_ALLOWED', detail))
  }
  return [...faults, ...holidayFaults(request.holidays ?? [])]
}

function holidayFaults(holidays: readonly Holiday[]): ValidationError[] {
  const coveredNumbers = new Set<number>()
  return holidays.slice(0, maxPerKind).flatMap(({ fromInstallment, installments }, place) => {
    const pointer = `/holidays/${place}`
    const range = `The value must be from 1 to ${maxInstallments}.`
    const faults: ValidationError[] = []
    for (const [member, value] of Object.entries({ fromInstallment, installments })) {
      if (value >= 1 && value <= maxInstallments) continue
      faults.push(validationError(`${pointer}/${member}`, 'OUT_OF_RANGE', range))
    }
    if (faults.length > 0) return faults
    let isOverlapping = false
    for (let number = fromInstallment; number < fromInstallment + installments; number++) {
      if (coveredNumbers.has(number)) isOverlapping = true
      coveredNumbers.add(number)
    }
    const detail = 'An installment can be part of only one payment holiday.'
    if (!isOverlapping) return []
    return [validationError(`${pointer}/fromInstallment`, 'OVERLAPS', detail)]
  })
}

function dateFaults(request: ScheduleRequest, start: LocalDate): ValidationError[] {
  if (!isLocalDate(start))
    return [validationError('/scheduleStart', 'VALUE_INVALID', 'Send a date such as 2026-01-31.')]
  const startFaults = (pointer: string) => (event: { on: LocalDate }, place: number) =>
    event.on < start
      ? [
          validationError(
            `${pointer}/${place}/on`,
            'BEFORE_THE_START',
            `The schedule starts on ${start}.`,
          ),
        ]
      : []
  const seenDates = new Set<LocalDate>()
  const duplicates = (request.rateChanges ?? []).flatMap(({ from }, place) => {
    if (!seenDates.has(from)) return (seenDates.add(from), [])
    return [
      validationError(
        `/rateChanges/${place}/from`,
        'OVERLAPS',
        'Another rate change has the same date.',
      ),
    ]
  })
  return [
    ...request.disbursements.flatMap(startFaults('/disbursements')),
    ...(request.extraPayments ?? []).flatMap(startFaults('/extraPayments')),
    ...duplicates,
  ]
}
