import type { TransactionFilterRequest } from '../model/transaction.ts'
import type { TransactionStatus } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import type { Side } from '../../../ledger/domain/account.ts'

/** The other party of a transaction, with the data that the bank has. */
export interface Counterparty {
  /** The ID of the party, used to look up its name; null if its account is not at this bank. */
  partyId: string | null
  /** The name in the payment or in the merchant's message. */
  name: string | null
  iban: string | null
}

/**
 * A transaction as the customer sees it: an authorization with its settlements, or one booked
 * posting.
 */
export interface Transaction {
  /** The ID of the posting that started the transaction. */
  transactionId: string
  /** The sequence number, within the account, of the first entry of the transaction. */
  sequence: number
  status: TransactionStatus
  side: Side
  amountMinor: bigint
  currency: string
  startedAt: Date
  bookedAt: Date | null
  valueDate: LocalDate | null
  description: string | null
  endToEndId: string | null
  counterparty: Counterparty
  paymentId: string | null
  reversesTransactionId: string | null
}

/** The criteria of a search for transactions. A criterion that is null is ignored. */
export interface TransactionFilter {
  from: LocalDate | null
  to: LocalDate | null
  minAmountMinor: bigint | null
  maxAmountMinor: bigint | null
  statuses: readonly TransactionStatus[] | null
  side: Side | null
  text: string | null
}

/**
 * Converts the requested filter to minor units of the account's currency. Throws
 * INVALID_DATE_RANGE if the period ends before it starts. Throws VALIDATION_FAILED if an amount is
 * invalid or the maximum is below the minimum.
 */
export function transactionFilter(
  request: TransactionFilterRequest,
  currency: string,
): TransactionFilter {
  const { from = null, to = null } = request
  if (from !== null && to !== null && to < from) {
    const detail = `The period ends on ${to}, before it starts on ${from}.`
    throw problemAt('INVALID_DATE_RANGE', '/filter/to', detail)
  }
  const minorOf = (name: 'minAmount' | 'maxAmount') => {
    const amount = request[name] ?? null
    return amount === null ? null : parseAmount(amount, currency, `/filter/${name}`)
  }
  const [minAmountMinor, maxAmountMinor] = [minorOf('minAmount'), minorOf('maxAmount')]
  if (minAmountMinor !== null && maxAmountMinor !== null && maxAmountMinor < minAmountMinor) {
    const detail = `maxAmount ${request.maxAmount} is less than minAmount ${request.minAmount}.`
    throw problemAt('VALIDATION_FAILED', '/filter/maxAmount', detail)
  }
  return {
    from,
    to,
    minAmountMinor,
    maxAmountMinor,
    statuses: request.status ?? null,
    side: request.creditDebitIndicator ?? null,
    text: request.text?.trim() ?? null,
  }
}

function problemAt(
  code: 'INVALID_DATE_RANGE' | 'VALIDATION_FAILED',
  pointer: string,
  detail: string,
) {
  const errors = [{ pointer, code, detail }]
  return new Problem(code, { detail, errors })
}
