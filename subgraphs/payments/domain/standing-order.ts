import type { CreateStandingOrderInput, StandingOrder } from '../model/standing-order.ts'
import { addDays, daysInMonth, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { executionDateOf, invalid, problemAt } from './order.ts'
import type { Order } from './payment.ts'

/** The default number of days for which a payment with insufficient funds is retried. */
export const usualRetryDays = 3
export const maxRetryDays = 10

/** The members of a standing order that change with its payment dates, or determine them. */
export type Schedule = Pick<
  StandingOrder,
  | 'state'
  | 'frequency'
  | 'startsOn'
  | 'endsOn'
  | 'maxExecutions'
  | 'executions'
  | 'occurrence'
  | 'nextOn'
  | 'attemptOn'
  | 'reasonCode'
>

/**
 * Creates a standing order. The first payment date is `startsOn`.
 * Throws EXECUTION_DATE_OUT_OF_RANGE, INVALID_DATE_RANGE, VALIDATION_FAILED.
 */
export function newStandingOrder(
  order: Order,
  terms: CreateStandingOrderInput,
  created: Versioned & { standingOrderId: string },
): StandingOrder {
  const { frequency, endsOn = null, maxExecutions = null } = terms
  const startsOn = executionDateOf(terms.startsOn, created.createdAt, '/startsOn')
  if (endsOn !== null && endsOn < startsOn) throw problemAt('INVALID_DATE_RANGE', '/endsOn')
  if (maxExecutions !== null && maxExecutions < 1) {
    throw invalid('/maxExecutions', `The value is ${maxExecutions}; it must be at least 1.`)
  }
  const retryDays = terms.retryDays ?? usualRetryDays
  if (retryDays < 0 || retryDays > maxRetryDays) {
    throw invalid('/retryDays', `The value is ${retryDays}; it must be from 0 to ${maxRetryDays}.`)
  }
  return {
    ...order,
    ...created,
    state: 'active',
    frequency,
    startsOn,
    endsOn,
    maxExecutions,
    retryDays,
    executions: 0,
    occurrence: 0,
    nextOn: startsOn,
    attemptOn: startsOn,
    reasonCode: null,
  }
}

/**
 * Skips the payment dates of a standing order that passed during a pause. Completes the order if no
 * further date remains.
 */
export function skipPassedDates(order: StandingOrder, now: Date): StandingOrder {
  const today = dateOf(now)
  let next = order
  while (next.nextOn !== null && next.nextOn < today) next = withNextDate(next)
  return next
}

/** Moves a standing order to its next date after a payment, or completes it after the last one. */
export function afterPayment<Order extends Schedule>(order: Order): Order {
  return withNextDate({ ...order, executions: order.executions + 1, reasonCode: null })
}

/**
 * Updates a standing order after a failed attempt. If the account had insufficient funds and retry
 * days are left, the payment is retried the next day. Otherwise it is skipped, and the next date
 * applies.
 */
export function afterFailedAttempt(
  order: StandingOrder,
  reasonCode: string,
  now: Date,
): StandingOrder {
  const today = dateOf(now)
  const isLastAttempt = today >= addDays(order.nextOn!, order.retryDays)
  if (reasonCode !== 'INSUFFICIENT_FUNDS' || isLastAttempt)
    return withNextDate({ ...order, reasonCode })
  return { ...order, reasonCode, attemptOn: addDays(today, 1) }
}

function withNextDate<Order extends Schedule>(order: Order): Order {
  const occurrence = order.occurrence + 1
  const nextOn = paymentDateAt(order, occurrence)
  const hasReachedMax = order.maxExecutions !== null && order.executions >= order.maxExecutions
  const isCompleted = hasReachedMax || (order.endsOn !== null && nextOn > order.endsOn)
  if (isCompleted)
    return { ...order, state: 'completed', occurrence, nextOn: null, attemptOn: null }
  return { ...order, occurrence, nextOn, attemptOn: nextOn }
}

/**
 * Returns the payment date at an index, which starts at 0. Monthly and quarterly dates keep the day
 * of the month of `startsOn`; in a shorter month, the last day is used.
 */
export function paymentDateAt(
  { startsOn, frequency }: Pick<StandingOrder, 'startsOn' | 'frequency'>,
  index: number,
): LocalDate {
  if (frequency === 'weekly') return addDays(startsOn, 7 * index)
  const months = index * (frequency === 'monthly' ? 1 : 3)
  const totalMonths = Number(startsOn.slice(0, 4)) * 12 + Number(startsOn.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(totalMonths / 12), (totalMonths % 12) + 1]
  const day = Math.min(Number(startsOn.slice(8)), daysInMonth(year, month))
  return dateOf(new Date(Date.UTC(year, month - 1, day)))
}

/** Returns the payment dates from the next one through `until`; none unless the order is active. */
export function datesUntil(order: Schedule, until: LocalDate): LocalDate[] {
  const dates: LocalDate[] = []
  for (
    let next = order;
    next.state === 'active' && next.nextOn! <= until;
    next = afterPayment(next)
  ) {
    dates.push(next.nextOn!)
  }
  return dates
}

/** Returns the order of a single payment of a standing order. */
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
