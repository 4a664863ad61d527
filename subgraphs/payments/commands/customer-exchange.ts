import type { Context } from '../../../kernel/environment/context.ts'
import {
  notOffered,
  quoteExchange,
  type ExchangeRequest,
  type Quote,
} from '../domain/customer-exchange.ts'
import type { AccountFact } from '../domain/order.ts'
import { findRate } from '../store/exchange-rate.ts'

/**
 * Returns the quote for an order between two accounts of one party in different currencies; null
 * for any other order. Throws FX_NOT_OFFERED if the exchange is scheduled for a later day, or if
 * the order has a rate ID and is not an exchange. Throws whatever `quoteExchange` throws.
 */
export async function exchangeFor(
  context: Context,
  request: ExchangeRequest,
  { debtor, creditor }: { debtor: AccountFact; creditor: AccountFact | null },
  isAfterToday: boolean,
): Promise<Quote | null> {
  const isExchange = creditor !== null && creditor.currency !== debtor.currency
  if (!isExchange || creditor.partyId !== debtor.partyId) {
    if (!request.exchangeRateId) return null
    const detail =
      'A rate belongs to an exchange between two accounts of one customer in different currencies.'
    throw notOffered('/exchangeRateId', detail)
  }
  if (isAfterToday) {
    throw notOffered('/executionDate', 'Currencies are exchanged today, at the rate in force.')
  }
  const now = context.now()
  const currencies = { sold: debtor.currency, bought: creditor.currency }
  const rate = await findRate(context, currencies.sold, currencies.bought, now)
  return quoteExchange(request, currencies, rate, now)
}
