import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { readTrialBalance, type AccountTotal } from '../../../ledger/trial-balance.ts'
import { maxDays, projectNostro, type Flow, type ProjectedDay } from '../domain/liquidity.ts'
import { invalid } from '../domain/order.ts'
import { datesUntil } from '../domain/standing-order.ts'
import { outboundRailNames, railOf, rails } from '../rails/registry.ts'
import {
  readOpenAuthorizations,
  readStandingOrderTotals,
  readUnsettledTotals,
} from '../store/liquidity.ts'

/** The liquidity of the bank in one currency, with a projection of the expected cash flows. */
export interface Position {
  currency: string
  asOf: Date
  nostroMinor: bigint
  /**
   * Money in transit. A positive amount is owed by other banks. A negative amount was debited from
   * accounts and has not left the nostro yet.
   */
  inTransitMinor: bigint
  customerDepositsMinor: bigint
  /** The total of the open outgoing authorizations that are not for payments. */
  openOutMinor: bigint
  /** The total of the open incoming authorizations. */
  openInMinor: bigint
  days: ProjectedDay[]
}

type FlowSource = (context: Context, currency: string, until: LocalDate) => Promise<Flow[]>

/** The sources of expected cash flows. Add further sources, such as loan installments, here. */
const flowSources: readonly FlowSource[] = [paymentFlows, standingOrderFlows, authorizationFlows]

/**
 * Returns the current position and its projection over `days` days (1 to 90), starting today. The
 * projection assumes that outflows occur as early as possible and inflows as late as possible.
 * Throws NOT_FOR_DELEGATED_USERS, VALIDATION_FAILED.
 */
export async function readPosition(
  context: Context,
  currency: string,
  days: number,
): Promise<Position> {
  requireBank(context)
  if (days < 1 || days > maxDays)
    throw invalid('/days', `The number of days is ${days}; it must be from 1 to ${maxDays}.`)
  const asOf = context.now()
  const today = dateOf(asOf)
  const until = addDays(today, days - 1)
  const [totals, authorizations, ...flows] = await Promise.all([
    readTrialBalance(context.bank.pool, currency, null),
    readOpenAuthorizations(context, currency),
    ...flowSources.map((source) => source(context, currency, until)),
  ])
  const accounts = totals[0]?.accounts ?? []
  const nostroMinor = debitOf(accounts, 'nostro')
  const openOf = (direction: 'in' | 'out') =>
    authorizations
      .filter((authorization) => authorization.direction === direction)
      .reduce((sum, { openMinor }) => sum + openMinor, 0n)
  return {
    currency,
    asOf,
    nostroMinor,
    inTransitMinor: debitOf(accounts, ...rails.map(({ settlementAccount }) => settlementAccount)),
    customerDepositsMinor: -debitOf(accounts, 'customer'),
    openOutMinor: openOf('out'),
    openInMinor: openOf('in'),
    days: projectNostro(nostroMinor, flows.flat(), today, days),
  }
}

function debitOf(accounts: readonly AccountTotal[], ...codes: string[]): bigint {
  return accounts
    .filter(({ code }) => codes.includes(code))
    .reduce((sum, { debitMinor, creditMinor }) => sum + debitMinor - creditMinor, 0n)
}

/** Returns the flows of outgoing payments, on the days on which the payments leave the nostro. */
async function paymentFlows(context: Context, currency: string): Promise<Flow[]> {
  const totals = await readUnsettledTotals(context, currency, outboundRailNames)
  return totals.flatMap(({ rail, date: paymentDate, amountMinor }) => {
    const date = railOf(rail).leavesOn?.(paymentDate)
    return date ? [{ kind: 'payment', direction: 'out', date, amountMinor }] : []
  })
}

async function standingOrderFlows(
  context: Context,
  currency: string,
  until: LocalDate,
): Promise<Flow[]> {
  const totals = await readStandingOrderTotals(context, currency, outboundRailNames, until)
  return totals.flatMap(({ rail, schedule, amountMinor }) =>
    datesUntil(schedule, until).flatMap((paymentDate): Flow[] => {
      const date = railOf(rail).leavesOn?.(paymentDate)
      return date ? [{ kind: 'standing-order', direction: 'out', date, amountMinor }] : []
    }),
  )
}

/**
 * Returns the flows of open authorizations. An outgoing authorization can be settled at any time,
 * so it counts today. An incoming authorization counts on the day it expires, and never if it has
 * no expiry.
 */
async function authorizationFlows(context: Context, currency: string): Promise<Flow[]> {
  const today = dateOf(context.now())
  const authorizations = await readOpenAuthorizations(context, currency)
  return authorizations.flatMap(({ direction, expiresOn, openMinor: amountMinor }): Flow[] => {
    if (direction === 'out') return [{ kind: 'authorisation', direction, date: today, amountMinor }]
    return expiresOn ? [{ kind: 'authorisation', direction, date: expiresOn, amountMinor }] : []
  })
}
