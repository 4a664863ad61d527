import { isLocalDate, type LocalDate } from '../../_kernel/domain/dates.ts'
import { isCurrency, minorDigits, parseAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import type { RepaymentFrequency } from './calendar.ts'
import type { DayCount } from './day-count.ts'
import {
  mostInstalments,
  type ExtraPaymentStrategy,
  type Holiday,
  type Loan,
  type RepaymentMethod,
  type Schedule,
} from './loan.ts'
import { ofPercent } from './rational.ts'
import { fault, invalid } from './refusals.ts'
import { scheduleOf } from './schedule.ts'

/** A loan as a caller describes it: amounts as decimals of the currency, rates in percent a year. */
export interface ScheduleRequest {
  currency: string
  annualRatePercent: string
  rateChanges?: { from: LocalDate; annualRatePercent: string }[] | null
  disbursements: { on: LocalDate; amount: string }[]
  scheduleStart?: LocalDate | null
  method: RepaymentMethod
  instalments: number
  frequency: RepaymentFrequency
  everyDays?: number | null
  dayCount: DayCount
  balloonAmount?: string | null
  principalGraceInstalments?: number | null
  interestGraceInstalments?: number | null
  principalMultipleOf?: string | null
  holidays?: Holiday[] | null
  extraPayments?: { on: LocalDate; amount: string; strategy: ExtraPaymentStrategy }[] | null
}

/** No list of a request is longer: what happens to a loan once a month for fifty years. */
export const mostOfAKind = 600
const highestRatePercent = 10_000
/** What a decimal of the wire can hold. */
const mostDigits = 15

/**
 * The schedule of the loan that a request describes.
 * Refuses with VALIDATION_FAILED what no loan can be, and what grows beyond all sense.
 */
export function scheduleFor(request: ScheduleRequest): Schedule {
  const { currency } = request
  const schedule = scheduleOf(readLoan(request), currency)
  const most = 10n ** BigInt(mostDigits + minorDigits(currency))
  const { totalPaymentMinor, totalInterestMinor, instalments } = schedule
  const isTooLarge =
    totalPaymentMinor >= most ||
    totalInterestMinor >= most ||
    instalments.some(({ balanceMinor }) => balanceMinor >= most)
  if (!isTooLarge) return schedule
  const detail = `An amount of the schedule has more than ${mostDigits} digits.`
  throw invalid(fault('/disbursements', 'INVALID_AMOUNT', detail))
}

/**
 * The loan that a request describes.
 * Refuses with VALIDATION_FAILED, with every fault and its place, what no loan can be.
 */
export function readLoan(request: ScheduleRequest): Loan {
  const { currency } = request
  if (!isCurrency(currency)) {
    throw invalid(fault('/currency', 'CURRENCY_INVALID', 'An ISO 4217 code such as EUR.'))
  }
  const faults: Fault[] = [...listFaults(request), ...termFaults(request)]
  const money = (text: string, pointer: string, least: bigint) =>
    readAmount(text, currency, pointer, least, faults)
  const disbursements = request.disbursements
    .slice(0, mostOfAKind)
    .map(({ on, amount }, place) => ({
      on,
      amountMinor: money(amount, `/disbursements/${place}/amount`, 1n),
    }))
  const extraPayments = (request.extraPayments ?? [])
    .slice(0, mostOfAKind)
    .map(({ on, amount, strategy }, place) => ({
      on,
      strategy,
      amountMinor: money(amount, `/extraPayments/${place}/amount`, strategy === 'payoff' ? 0n : 1n),
    }))
  const { balloonAmount, principalMultipleOf } = request
  const balloonMinor = balloonAmount ? money(balloonAmount, '/balloonAmount', 0n) : 0n
  const multipleMinor = principalMultipleOf
    ? money(principalMultipleOf, '/principalMultipleOf', 1n)
    : 1n
  const lent = disbursements.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  if (balloonMinor > lent) {
    faults.push(fault('/balloonAmount', 'OUT_OF_RANGE', 'No more than is disbursed.'))
  }
  if (faults.length > 0) throw invalid(...faults)
  const first = disbursements.map(({ on }) => on).toSorted()[0]!
  const start = request.scheduleStart ?? first
  const early = dateFaults(request, start)
  if (early.length > 0) throw invalid(...early)
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
    instalments: request.instalments,
    start,
    frequency: request.frequency,
    everyDays: request.everyDays ?? null,
    dayCount: request.dayCount,
    annualRate: ofPercent(request.annualRatePercent),
    principalGrace: request.principalGraceInstalments ?? 0,
    interestGrace: request.interestGraceInstalments ?? 0,
  }
}

function readAmount(
  text: string,
  currency: string,
  pointer: string,
  least: bigint,
  faults: Fault[],
): bigint {
  try {
    const amount = parseAmount(text, currency, pointer)
    if (amount >= least) return amount
    const detail = least === 0n ? 'Not negative.' : 'More than nothing.'
    faults.push(fault(pointer, 'OUT_OF_RANGE', detail))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    faults.push(...error.members.errors!)
  }
  return 0n
}

function listFaults(request: ScheduleRequest): Fault[] {
  const lists = ['disbursements', 'rateChanges', 'holidays', 'extraPayments'] as const
  const long = lists
    .filter((list) => (request[list]?.length ?? 0) > mostOfAKind)
    .map((list) => fault(`/${list}`, 'TOO_MANY', `At most ${mostOfAKind}.`))
  if (request.disbursements.length > 0) return long
  return [...long, fault('/disbursements', 'REQUIRED', 'At least one.')]
}

function termFaults(request: ScheduleRequest): Fault[] {
  const { instalments, method, frequency, everyDays, balloonAmount } = request
  const faults: Fault[] = []
  const requireBetween = (pointer: string, least: number, value: number, most: number) => {
    if (value >= least && value <= most) return
    faults.push(fault(pointer, 'OUT_OF_RANGE', `From ${least} to ${most}.`))
  }
  const requireRate = (pointer: string, percent: string) =>
    requireBetween(pointer, 0, Number(percent), highestRatePercent)
  requireBetween('/instalments', 1, instalments, mostInstalments)
  requireRate('/annualRatePercent', request.annualRatePercent)
  for (const [place, { annualRatePercent }] of (request.rateChanges ?? []).entries()) {
    requireRate(`/rateChanges/${place}/annualRatePercent`, annualRatePercent)
  }
  for (const member of ['principalGraceInstalments', 'interestGraceInstalments'] as const) {
    requireBetween(`/${member}`, 0, request[member] ?? 0, Math.max(0, instalments - 1))
  }
  if (frequency === 'days') {
    if (everyDays === null || everyDays === undefined) {
      faults.push(fault('/everyDays', 'REQUIRED', 'Every how many days an instalment is due.'))
    } else requireBetween('/everyDays', 1, everyDays, 366)
  } else if (everyDays !== null && everyDays !== undefined) {
    faults.push(fault('/everyDays', 'NOT_ALLOWED', 'Only with the frequency DAYS.'))
  }
  if (method === 'balloon' && !balloonAmount) {
    faults.push(fault('/balloonAmount', 'REQUIRED', 'What is left for the end.'))
  }
  if (method !== 'balloon' && balloonAmount) {
    faults.push(fault('/balloonAmount', 'NOT_ALLOWED', 'Only with the method BALLOON.'))
  }
  if (method !== 'equal-principal' && request.principalMultipleOf) {
    const detail = 'Only with the method EQUAL_PRINCIPAL.'
    faults.push(fault('/principalMultipleOf', 'NOT_ALLOWED', detail))
  }
  return [...faults, ...holidayFaults(request.holidays ?? [])]
}

function holidayFaults(holidays: readonly Holiday[]): Fault[] {
  const taken = new Set<number>()
  return holidays.slice(0, mostOfAKind).flatMap(({ fromInstalment, instalments }, place) => {
    const pointer = `/holidays/${place}`
    const range = `From 1 to ${mostInstalments}.`
    const faults: Fault[] = []
    for (const [member, value] of Object.entries({ fromInstalment, instalments })) {
      if (value >= 1 && value <= mostInstalments) continue
      faults.push(fault(`${pointer}/${member}`, 'OUT_OF_RANGE', range))
    }
    if (faults.length > 0) return faults
    let overlaps = false
    for (let number = fromInstalment; number < fromInstalment + instalments; number++) {
      if (taken.has(number)) overlaps = true
      taken.add(number)
    }
    const detail = 'An instalment is in one holiday only.'
    return overlaps ? [fault(`${pointer}/fromInstalment`, 'OVERLAPS', detail)] : []
  })
}

function dateFaults(request: ScheduleRequest, start: LocalDate): Fault[] {
  if (!isLocalDate(start)) return [fault('/scheduleStart', 'VALUE_INVALID', 'A date.')]
  const before = (pointer: string) => (it: { on: LocalDate }, place: number) =>
    it.on < start
      ? [fault(`${pointer}/${place}/on`, 'BEFORE_THE_START', `The schedule starts on ${start}.`)]
      : []
  const seen = new Set<LocalDate>()
  const twice = (request.rateChanges ?? []).flatMap(({ from }, place) => {
    if (!seen.has(from)) return (seen.add(from), [])
    return [fault(`/rateChanges/${place}/from`, 'OVERLAPS', 'One rate from one day.')]
  })
  return [
    ...request.disbursements.flatMap(before('/disbursements')),
    ...(request.extraPayments ?? []).flatMap(before('/extraPayments')),
    ...twice,
  ]
}
