import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import {
  commonUnitPeriod,
  unitPeriodsFrom,
  unitPeriodWith,
  yearsFrom,
  type Elapsed,
  type UnitPeriod,
} from './apr-time.ts'
import { rateOf } from './apr.ts'
import { toDay, type Day } from './calendar.ts'
import { fault, invalid } from './refusals.ts'

/**
 * `eu`: the annual percentage rate of charge, an effective rate (Directive 2008/48/EC, annex I).
 * `us-actuarial`: the annual percentage rate of Regulation Z, appendix J, a nominal one.
 */
export const aprConventions = ['eu', 'us-actuarial'] as const
export type AprConvention = (typeof aprConventions)[number]

/** Money on a date, or so many unit periods after the first advance. */
export interface CashFlow {
  amount: string
  on?: LocalDate | null
  period?: string | null
}

export interface AprRequest {
  convention: AprConvention
  advances: CashFlow[]
  payments: CashFlow[]
  unitPeriodsPerYear?: string | null
}

export const mostCashFlows = 1200
const Exact = Decimal.clone({ precision: 34 })

/**
 * The annual percentage rate, in percent with six decimals.
 * Refuses with VALIDATION_FAILED, with every fault and its place, flows that have none: nothing
 * received at first, or less paid than received.
 */
export function annualPercentageRate(request: AprRequest): string {
  const { advances, payments, convention } = request
  const shape = shapeFaults(request)
  if (shape.length > 0) throw invalid(...shape)
  const cashFlows = [...advances, ...payments]
  const isDated = isGiven(advances[0]!.on)
  const { times, perYear } = isDated ? datedTimes(request) : countedTimes(request)
  const rate = rateOf(
    cashFlows.map(({ amount }, place) => ({
      amount: new Exact(place < advances.length ? amount : `-${amount}`),
      ...times[place]!,
    })),
  )
  if (rate === null) {
    const detail =
      'There is no rate: less is paid than is received, or nothing is received at first.'
    throw invalid(fault('/payments', 'NO_RATE', detail))
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
  const early = payments.flatMap((_, place) =>
    days[advances.length + place]! < first
      ? [fault(`/payments/${place}/on`, 'BEFORE_THE_START', 'Nothing was advanced by then.')]
      : [],
  )
  if (early.length > 0) throw invalid(...early)
  if (convention === 'eu') return { times: yearsFrom(first, days), perYear: new Exact(1) }
  const unit = unitOf(days, unitPeriodsPerYear)
  return { times: unitPeriodsFrom(first, days, unit), perYear: unit.perYear }
}

function unitOf(days: readonly Day[], perYear: string | null | undefined): UnitPeriod {
  if (!perYear) return commonUnitPeriod(days)
  const unit = unitPeriodWith(new Exact(perYear))
  if (unit) return unit
  const detail = 'With dates: 1, 2, 3, 4, 6, 12 (months), 24, 13, 26, 52 (weeks) or 365.'
  throw invalid(fault('/unitPeriodsPerYear', 'OUT_OF_RANGE', detail))
}

function countedTimes({ convention, advances, payments, unitPeriodsPerYear }: AprRequest): Times {
  const perYear = new Exact(unitPeriodsPerYear!)
  const start = Decimal.min(...advances.map(({ period }) => period!))
  const times = [...advances, ...payments].map(({ period }, place) => {
    const units = new Exact(period!).minus(start)
    if (units.isNegative() && !units.isZero()) {
      const pointer = `/payments/${place - advances.length}/period`
      throw invalid(fault(pointer, 'BEFORE_THE_START', 'Nothing was advanced by then.'))
    }
    if (convention === 'eu') return { units: units.div(perYear), odd: new Exact(0) }
    return { units: units.floor(), odd: units.minus(units.floor()) }
  })
  return { times, perYear }
}

function shapeFaults({ advances, payments, unitPeriodsPerYear }: AprRequest): Fault[] {
  const faults: Fault[] = []
  const lists = { advances, payments }
  const isDated = isGiven((advances[0] ?? payments[0])?.on)
  for (const [list, flows] of Object.entries(lists)) {
    if (flows.length === 0) faults.push(fault(`/${list}`, 'REQUIRED', 'At least one.'))
    if (flows.length > mostCashFlows) {
      return [fault(`/${list}`, 'TOO_MANY', `At most ${mostCashFlows}.`)]
    }
    for (const [place, flow] of flows.entries()) {
      faults.push(...flowFaults(flow, `/${list}/${place}`, isDated))
    }
  }
  if (!isDated && !isGiven(unitPeriodsPerYear)) {
    faults.push(fault('/unitPeriodsPerYear', 'REQUIRED', 'With periods: how many make a year.'))
  }
  const perYear = Number(unitPeriodsPerYear ?? 1)
  if (!(perYear >= 0.1 && perYear <= 366)) {
    faults.push(fault('/unitPeriodsPerYear', 'OUT_OF_RANGE', 'From 0.1 to 366.'))
  }
  return faults
}

function flowFaults({ amount, on, period }: CashFlow, pointer: string, isDated: boolean): Fault[] {
  const faults: Fault[] = []
  if (amount.startsWith('-')) {
    faults.push(fault(`${pointer}/amount`, 'OUT_OF_RANGE', 'Not negative.'))
  }
  const [wanted, other] = isDated ? (['on', 'period'] as const) : (['period', 'on'] as const)
  const given = { on: isGiven(on), period: isGiven(period) }
  if (!given[wanted]) {
    const detail = 'Each flow has a date, or each has a period.'
    faults.push(fault(`${pointer}/${wanted}`, 'REQUIRED', detail))
  }
  if (given[other]) {
    const detail = 'A date or a period, the same for all flows.'
    faults.push(fault(`${pointer}/${other}`, 'NOT_ALLOWED', detail))
  }
  const farthest = mostCashFlows * 366
  if (!isDated && Math.abs(Number(period ?? 0)) > farthest) {
    faults.push(fault(`${pointer}/period`, 'OUT_OF_RANGE', `At most ${farthest}.`))
  }
  return faults
}

function isGiven(text: string | null | undefined): boolean {
  return text !== null && text !== undefined
}
