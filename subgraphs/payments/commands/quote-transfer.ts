import type { OrderRequest } from '../model/payment-inputs.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { exchangeFor } from './customer-exchange.ts'
import { notOffered, type ExchangeRequest, type Quote } from '../domain/customer-exchange.ts'
import { mayPayFrom, readAccounts } from './transfer.ts'

/** An exchange to quote. */
export type QuoteRequest = Pick<
  OrderRequest,
  'debtorArrangementId' | 'creditorArrangementId' | 'creditorIban' | 'amount'
> &
  ExchangeRequest

/**
 * Quotes an exchange between two accounts of one customer. Nothing is stored. Throws
 * ARRANGEMENT_NOT_FOUND, ACCOUNT_NUMBER_NOT_FOUND, FX_NOT_OFFERED if both accounts have the same
 * currency, and whatever `readAccounts` and `quoteExchange` throw.
 */
export async function quoteTransfer(context: Context, request: QuoteRequest): Promise<Quote> {
  const { debtor, creditor } = await readAccounts(context, request, mayPayFrom)
  // An account of another party is reported as not found, so that its currency is not revealed.
  if (creditor?.partyId !== debtor.partyId) throw unknownCreditor(request)
  const quote = await exchangeFor(context, request, { debtor, creditor }, false)
  if (quote) return quote
  const detail = `Both accounts are in ${debtor.currency}; there is nothing to exchange.`
  throw notOffered('/creditorArrangementId', detail)
}

function unknownCreditor({ creditorIban, creditorArrangementId }: QuoteRequest): Problem {
  const code = 'ACCOUNT_NUMBER_NOT_FOUND'
  if (creditorIban) {
    const detail = 'The customer has no account with that number.'
    return new Problem(code, { detail, errors: [{ pointer: '/creditorIban', code, detail }] })
  }
  const pointer = '/creditorArrangementId'
  return missingReference('ARRANGEMENT_NOT_FOUND', creditorArrangementId ?? '', pointer)
}
