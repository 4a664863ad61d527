import type { Context } from '../_kernel/context.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { exchangeFor } from './customer-exchanges.ts'
import { notOffered, type ExchangeAsked, type Quote } from './domain/customer-exchange.ts'
import type { OrderAsked } from './domain/order.ts'
import { mayPayFrom, readAccounts } from './transfers.ts'

/** An exchange to quote. */
export type QuoteAsked = Pick<
  OrderAsked,
  'debtorArrangementId' | 'creditorArrangementId' | 'creditorIban' | 'amount'
> &
  ExchangeAsked

/**
 * Quotes an exchange between two accounts of one customer without making it.
 * Rejects with ARRANGEMENT_NOT_FOUND, ACCOUNT_NUMBER_NOT_FOUND, FX_NOT_OFFERED for accounts in one
 * currency, and as `quoteExchange`.
 */
export async function quoteTransfer(context: Context, asked: QuoteAsked): Promise<Quote> {
  const { debtor, creditor } = await readAccounts(context, asked, mayPayFrom)
  // Another party's account is as if it were not there: its currency is nobody else's to learn.
  if (creditor?.partyId !== debtor.partyId) throw unknownCreditor(asked)
  const quote = await exchangeFor(context, asked, { debtor, creditor }, false)
  if (quote) return quote
  const detail = `Both accounts are in ${debtor.currency}; there is nothing to exchange.`
  throw notOffered('/creditorArrangementId', detail)
}

function unknownCreditor({ creditorIban, creditorArrangementId }: QuoteAsked): Problem {
  const code = 'ACCOUNT_NUMBER_NOT_FOUND'
  if (creditorIban) {
    const detail = 'The customer has no account with that number.'
    return new Problem(code, { detail, errors: [{ pointer: '/creditorIban', code, detail }] })
  }
  const pointer = '/creditorArrangementId'
  return missingReference('ARRANGEMENT_NOT_FOUND', creditorArrangementId ?? '', pointer)
}
