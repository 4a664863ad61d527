import type { Context } from '../_kernel/context.ts'
import {
  notOffered,
  quoteExchange,
  type ExchangeAsked,
  type Quote,
} from './domain/customer-exchange.ts'
import type { AccountFact } from './domain/order.ts'
import { findRate } from './store/exchange-rate.ts'

/**
 * The quote for an order between two accounts of one party in different currencies; null for every other
 * order. Rejects as `quoteExchange`, and with FX_NOT_OFFERED an exchange on a later day.
 */
export async function exchangeFor(
  context: Context,
  asked: ExchangeAsked,
  { debtor, creditor }: { debtor: AccountFact; creditor: AccountFact | null },
  isLater: boolean,
): Promise<Quote | null> {
  const isExchange = creditor !== null && creditor.currency !== debtor.currency
  if (!isExchange || creditor.partyId !== debtor.partyId) {
    if (!asked.exchangeRateId) return null
    const detail =
      'A rate belongs to an exchange between two accounts of one customer in different currencies.'
    throw notOffered('/exchangeRateId', detail)
  }
  if (isLater) {
    throw notOffered('/executionDate', 'Currencies are exchanged today, at the rate in force.')
  }
  const now = context.now()
  const currencies = { sold: debtor.currency, bought: creditor.currency }
  const rate = await findRate(context, currencies.sold, currencies.bought, now)
  return quoteExchange(asked, currencies, rate, now)
}
