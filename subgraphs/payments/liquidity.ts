import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { readTrialBalance, type AccountTotal } from '../_ledger/trial-balance.ts'
import { mostDays, project, type Flow, type ProjectedDay } from './domain/liquidity.ts'
import { invalid, rails } from './domain/order.ts'
import { datesUntil } from './domain/standing-order.ts'
import { readOpenPromises } from './store/liquidity.ts'
import { findOnTheirWay } from './store/payment.ts'
import { findLeaving } from './store/standing-order.ts'

/** What the bank holds in a currency, what it owes its customers, and what is to come and go. */
export interface Position {
  currency: string
  asOf: Date
  nostroMinor: bigint
  /** Positive: others owe the bank; negative: it left accounts and the nostro has not paid it. */
  inTransitMinor: bigint
  customerDepositsMinor: bigint
  openOutMinor: bigint
  openInMinor: bigint
  days: ProjectedDay[]
}

type FlowSource = (context: Context, currency: string, until: LocalDate) => Promise<Flow[]>

/** Whoever knows of money to come or go adds a source here: instalments of loans, other rails. */
const sources: readonly FlowSource[] = [paymentFlows, standingOrderFlows, authorisationFlows]

/**
 * The position now, and its projection over `days` days from today. Money is taken to leave as
 * early and to come as late as it may. For the bank alone.
 * Refuses with NOT_FOR_DELEGATED_USERS, VALIDATION_FAILED.
 */
export async function readPosition(
  context: Context,
  currency: string,
  days: number,
): Promise<Position> {
  requireBank(context)
  if (days < 1 || days > mostDays) throw invalid('/days', `From 1 to ${mostDays}.`)
  const asOf = context.now()
  const today = dateOf(asOf)
  const until = addDays(today, days - 1)
  const [totals, promises, ...flows] = await Promise.all([
    readTrialBalance(context.bank.pool, currency, null),
    readOpenPromises(context, currency),
    ...sources.map((source) => source(context, currency, until)),
  ])
  const accounts = totals[0]?.accounts ?? []
  const nostroMinor = debitOf(accounts, 'nostro')
  const openOf = (direction: 'in' | 'out') =>
    promises
      .filter((promise) => promise.direction === direction)
      .reduce((sum, { openMinor }) => sum + openMinor, 0n)
  return {
    currency,
    asOf,
    nostroMinor,
    inTransitMinor: debitOf(accounts, 'settlement', 'settlement-sct'),
    customerDepositsMinor: -debitOf(accounts, 'customer'),
    openOutMinor: openOf('out'),
    openInMinor: openOf('in'),
    days: project(nostroMinor, flows.flat(), today, days),
  }
}

function debitOf(accounts: readonly AccountTotal[], ...codes: string[]): bigint {
  return accounts
    .filter(({ code }) => codes.includes(code))
    .reduce((sum, { debitMinor, creditMinor }) => sum + debitMinor - creditMinor, 0n)
}

/** Payments leave the nostro on the day their rail settles. */
async function paymentFlows(context: Context, currency: string): Promise<Flow[]> {
  const payments = await findOnTheirWay(context, currency)
  return payments.flatMap(({ rail, executionDate, cutOffAt, amountMinor }) => {
    const date = rails[rail].leavesOn(cutOffAt ? dateOf(cutOffAt) : executionDate)
    return date ? [{ kind: 'payment', direction: 'out', date, amountMinor }] : []
  })
}

async function standingOrderFlows(
  context: Context,
  currency: string,
  until: LocalDate,
): Promise<Flow[]> {
  const orders = await findLeaving(context, currency)
  return orders.flatMap((order) =>
    datesUntil(order, until).flatMap((due): Flow[] => {
      const date = rails[order.rail].leavesOn(due)
      if (!date) return []
      return [{ kind: 'standing-order', direction: 'out', date, amountMinor: order.amountMinor }]
    }),
  )
}

/** What may be settled at any time leaves today; what is to come is there on its last day, if it has one. */
async function authorisationFlows(context: Context, currency: string): Promise<Flow[]> {
  const today = dateOf(context.now())
  const promises = await readOpenPromises(context, currency)
  return promises.flatMap(({ direction, expiresAt, openMinor: amountMinor }): Flow[] => {
    if (direction === 'out') return [{ kind: 'authorisation', direction, date: today, amountMinor }]
    if (!expiresAt) return []
    return [{ kind: 'authorisation', direction, date: dateOf(expiresAt), amountMinor }]
  })
}
