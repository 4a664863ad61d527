import { addDays, daysInMonth, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { executionDateOf, invalid, refused } from './order.ts'
import type { Order } from './payment.ts'

export const standingOrderStates = ['active', 'paused', 'completed', 'cancelled'] as const
export type StandingOrderState = (typeof standingOrderStates)[number]

export const standingOrderMoves: Transitions<StandingOrderState> = {
  active: ['paused', 'completed', 'cancelled'],
  paused: ['active', 'cancelled'],
  completed: [],
  cancelled: [],
}

export const frequencies = ['weekly', 'monthly', 'quarterly'] as const
export type Frequency = (typeof frequencies)[number]

/** Days that a date is tried again for when the money is not there, if nothing else is asked for. */
export const usualRetryDays = 3
export const mostRetryDays = 10

/** A payment that repeats. */
export interface StandingOrder extends Order, Versioned {
  standingOrderId: string
  state: StandingOrderState
  frequency: Frequency
  startsOn: LocalDate
  endsOn: LocalDate | null
  /** How often it pays at most; null without end. */
  mostExecutions: number | null
  retryDays: number
  /** How often it has paid. */
  executions: number
  /** Which of its dates is next, counted from 0. */
  occurrence: number
  /** That date; null when there is none any more. */
  nextOn: LocalDate | null
  /** The day it is tried: that date, or a later one when the money was not there. */
  attemptOn: LocalDate | null
  /** Why the last attempt did not pay. */
  reasonCode: string | null
}

export interface Terms {
  frequency: Frequency
  startsOn: LocalDate
  endsOn?: LocalDate | null
  mostExecutions?: number | null
  retryDays?: number | null
}

/**
 * A new standing order, whose first date is its start.
 * Refuses with EXECUTION_DATE_OUT_OF_RANGE, INVALID_DATE_RANGE, VALIDATION_FAILED.
 */
export function newStandingOrder(
  order: Order,
  terms: Terms,
  made: Versioned & { standingOrderId: string },
): StandingOrder {
  const { frequency, endsOn = null, mostExecutions = null } = terms
  const startsOn = executionDateOf(terms.startsOn, made.createdAt, '/startsOn')
  if (endsOn !== null && endsOn < startsOn) throw refused('INVALID_DATE_RANGE', '/endsOn')
  if (mostExecutions !== null && mostExecutions < 1) {
    throw invalid('/mostExecutions', 'At least once.')
  }
  const retryDays = terms.retryDays ?? usualRetryDays
  if (retryDays < 0 || retryDays > mostRetryDays) {
    throw invalid('/retryDays', `From 0 to ${mostRetryDays}.`)
  }
  return {
    ...order,
    ...made,
    state: 'active',
    frequency,
    startsOn,
    endsOn,
    mostExecutions,
    retryDays,
    executions: 0,
    occurrence: 0,
    nextOn: startsOn,
    attemptOn: startsOn,
    reasonCode: null,
  }
}

/** Moves it by hand. Resumed, it goes on with its next date: what fell due meanwhile is not paid. */
export function moveStandingOrder(
  order: StandingOrder,
  to: 'paused' | 'active' | 'cancelled',
  now: Date,
): StandingOrder {
  requireMove(standingOrderMoves, order.state, to, order.standingOrderId)
  if (to === 'cancelled') return { ...order, state: to, nextOn: null, attemptOn: null }
  if (to === 'paused') return { ...order, state: to }
  let resumed: StandingOrder = { ...order, state: to }
  while (resumed.nextOn !== null && resumed.nextOn < dateOf(now)) resumed = goOn(resumed)
  return resumed
}

/** After a date was paid. It is completed when that was its last. */
export function paid(order: StandingOrder): StandingOrder {
  return goOn({ ...order, executions: order.executions + 1, reasonCode: null })
}

/**
 * After a date could not be paid: tried again tomorrow where only the money was missing and there
 * are days left, else given up for the next date.
 */
export function unpaid(order: StandingOrder, reasonCode: string, now: Date): StandingOrder {
  const today = dateOf(now)
  const isOver = today >= addDays(order.nextOn!, order.retryDays)
  if (reasonCode !== 'INSUFFICIENT_FUNDS' || isOver) return goOn({ ...order, reasonCode })
  return { ...order, reasonCode, attemptOn: addDays(today, 1) }
}

function goOn(order: StandingOrder): StandingOrder {
  const occurrence = order.occurrence + 1
  const nextOn = occurrenceOf(order, occurrence)
  const isPaidOut = order.mostExecutions !== null && order.executions >= order.mostExecutions
  const isOver = isPaidOut || (order.endsOn !== null && nextOn > order.endsOn)
  if (isOver) return { ...order, state: 'completed', occurrence, nextOn: null, attemptOn: null }
  return { ...order, occurrence, nextOn, attemptOn: nextOn }
}

/** The date of that number, from 0. Months keep the day of the start, or their last. */
export function occurrenceOf(
  { startsOn, frequency }: Pick<StandingOrder, 'startsOn' | 'frequency'>,
  number: number,
): LocalDate {
  if (frequency === 'weekly') return addDays(startsOn, 7 * number)
  const months = number * (frequency === 'monthly' ? 1 : 3)
  const inMonths = Number(startsOn.slice(0, 4)) * 12 + Number(startsOn.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(inMonths / 12), (inMonths % 12) + 1]
  const day = Math.min(Number(startsOn.slice(8)), daysInMonth(year, month))
  return dateOf(new Date(Date.UTC(year, month - 1, day)))
}

/** The dates it will pay on, up to a day. */
export function datesUntil(order: StandingOrder, until: LocalDate): LocalDate[] {
  const dates: LocalDate[] = []
  for (let next = order; next.state === 'active' && next.nextOn! <= until; next = paid(next)) {
    dates.push(next.nextOn!)
  }
  return dates
}

/** What each of its payments is. */
export function orderFrom(order: StandingOrder): Order {
  return {
    partyId: order.partyId,
    debtorArrangementId: order.debtorArrangementId,
    rail: order.rail,
    creditorArrangementId: order.creditorArrangementId,
    creditorPartyId: order.creditorPartyId,
    creditorIban: order.creditorIban,
    creditorName: order.creditorName,
    amountMinor: order.amountMinor,
    currency: order.currency,
    endToEndId: order.endToEndId,
    remittanceInformation: order.remittanceInformation,
  }
}
