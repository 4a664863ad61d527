import type { CashFlow } from '../../model/pricing/apr.ts'
import type { AprConvention } from '../../model/pricing/enumerations.ts'
import { Decimal } from 'decimal.js'
import type { ValidationError } from '../../../../kernel/domain/problem-members.ts'
import {
  commonUnitPeriod,
  unitPeriodsFrom,
  unitPeriodWith,
  yearsFrom,
  type Elapsed,
  type UnitPeriod,
} from './apr-time.ts'
import { rateOf } from './apr.ts'
import { toDay, type Day } from '../../../../kernel/domain/day-count.ts'
import { validationError, validationFailed } from '../schedules/refusals.ts'

export interface AprRequest {
  convention: AprConvention
  advances: readonly CashFlow[]
  payments: readonly CashFlow[]
  unitPeriodsPerYear?: string | null
}

export const maxCashFlows = 1200
const Exact = Decimal.clone({ precision: 34 })

/**
 * Returns the annual percentage rate in percent, with six decimals. Throws VALIDATION_FAILED, also
 * for cash flows that have no rate because a payment precedes the first advance or the payments are
 * less than the advances.
 */
export function annualPercentageRate(request: AprRequest): string {
  const { advances, payments, convention } = request
  const faults = shapeFaults(request)
  if (faults.length > 0) throw validationFailed(...faults)
  const cashFlows = [...advances, ...payments]
  const isDated = isProvided(advances[0]!.on)
  const { times, perYear } = isDated ? datedTimes(request) : countedTimes(request)
  const rate = rateOf(
    cashFlows.map(({ amount }, place) => ({
      amount: new Exact(place < advances.length ? amount : `-${amount}`),
      ...times[place]!,
    })),
  )
  if (rate === null) {
    const detail =
      'There is no rate: the payments are less than the advances, or a payment precedes ' +
      'the first advance.'
    throw validationFailed(validationError('/payments', 'NO_RATE', detail))
  }
  const percent = convention === 'eu' ? rate.mul(100) : rate.mul(perYear).mul(100)
  return percent.toFixed(6, Decimal.ROUND_HALF_UP)
}

interface Times {
  times: Elapsed[]
  perYear: Decimal
}

function datedTimes({ convention, advances, payments, unitPeriodsPerYear }: AprRequest): Times {
  const days = [...advances, ...payments].map(({ on }) => toDay(on!))
  const first = Math.min(...days.slice(0, advances.length))
  const startErrors = payments.flatMap((_, place) =>
    days[advances.length + place]! < first
      ? [
          validationError(
            `/payments/${place}/on`,
            'BEFORE_THE_START',
            'A payment cannot be before the first advance.',
          ),
        ]
      : [],
  )
  if (startErrors.length > 0) throw validationFailed(...startErrors)
  if (convention === 'eu') return { times: yearsFrom(first, days), perYear: new Exact(1) }
  const unit = unitOf(days, unitPeriodsPerYear)
  return { times: unitPeriodsFrom(first, days, unit), perYear: unit.perYear }
}

function unitOf(days: readonly Day[], perYear: string | null | undefined): UnitPeriod {
  if (!perYear) return commonUnitPeriod(days)
  const unit = unitPeriodWith(new Exact(perYear))
  if (unit) return unit
  const detail =
    'If cash flows have dates, the value must be 1, 2, 3, 4, 6, 12, 13, 24, 26, 52 or 365.'
  throw validationFailed(validationError('/unitPeriodsPerYear', 'OUT_OF_RANGE', detail))
}

function countedTimes({ convention, advances, payments, unitPeriodsPerYear }: AprRequest): Times {
  const perYear = new Exact(unitPeriodsPerYear!)
  const start = Decimal.min(...advances.map(({ period }) => period!))
  const times = [...advances, ...payments].map(({ period }, place) => {
    const units = new Exact(period!).minus(start)
    if (units.isNegative() && !units.isZero()) {
      const pointer = `/payments/${place - advances.length}/period`
      throw validationFailed(
        validationError(
          pointer,
          'BEFORE_THE_START',
          'A payment cannot be before the first advance.',
        ),
      )
    }
    if (convention === 'eu') return { units: units.div(perYear), odd: new Exact(0) }
    return { units: units.floor(), odd: units.minus(units.floor()) }
  })
  return { times, perYear }
}

function shapeFaults({ advances, payments, unitPeriodsPerYear }: AprRequest): ValidationError[] {
  const faults: ValidationError[] = []
  const lists = { advances, payments }
  const isDated = isProvided((advances[0] ?? payments[0])?.on)
  for (const [list, flows] of Object.entries(lists)) {
    if (flows.length === 0)
      faults.push(validationError(`/${list}`, 'REQUIRED', 'Send at least one cash flow.'))
    if (flows.length > maxCashFlows) {
      return [validationError(`/${list}`, 'TOO_MANY', `Send at most ${maxCashFlows} cash flows.`)]
    }
    for (const [place, flow] of flows.entries()) {
      faults.push(...flowFaults(flow, `/${list}/${place}`, isDated))
    }
  }
  if (!isDated && !isProvided(unitPeriodsPerYear)) {
    faults.push(
      validationError(
        '/unitPeriodsPerYear',
        'REQUIRED',
        'Send the number of unit periods in a year.',
      ),
    )
  }
  const perYear = Number(unitPeriodsPerYear ?? 1)
  if (!(perYear >= 0.1 && perYear <= 366)) {
    faults.push(
      validationError('/unitPeriodsPerYear', 'OUT_OF_RANGE', 'The value must be from 0.1 to 366.'),
    )
  }
  return faults
}

function flowFaults(
  { amount, on, period }: CashFlow,
  pointer: string,
  isDated: boolean,
): ValidationError[] {
  const faults: ValidationError[] = []
  if (amount.startsWith('-')) {
    faults.push(
      validationError(`${pointer}/amount`, 'OUT_OF_RANGE', 'The amount must not be negative.'),
    )
  }
  const [required, excluded] = isDated ? (['on', 'period'] as const) : (['period', 'on'] as const)
  const isMemberProvided = { on: isProvided(on), period: isProvided(period) }
  if (!isMemberProvided[required]) {
    const detail = 'Send either a date for every cash flow or a period for every cash flow.'
    faults.push(validationError(`${pointer}/${required}`, 'REQUIRED', detail))
  }
  if (isMemberProvided[excluded]) {
    const detail = 'Either all cash flows must have a date, or all must have a period.'
    faults.push(validationError(`${pointer}/${excluded}`, 'NOT_ALLOWED', detail))
  }
  const maxPeriod = maxCashFlows * 366
  if (!isDated && Math.abs(Number(period ?? 0)) > maxPeriod) {
    faults.push(
      validationError(
        `${pointer}/period`,
        'OUT_OF_RANGE',
        `The period must be at most ${maxPeriod}.`,
      ),
    )
  }
  return faults
}

function isProvided(text: string | null | undefined): boolean {
  return text !== null && text !== undefined
}
