import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Side } from '../../_ledger/domain/account.ts'

export const transactionStatuses = ['pending', 'booked', 'reversed', 'released'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** The party on the other side, as far as the bank knows it. */
export interface Counterparty {
  /** A party of this bank, whose name is looked up. */
  partyId: string | null
  /** The name that the payment or the merchant's message has. */
  name: string | null
  iban: string | null
}

/** What a customer sees as one payment: an authorization with its settlements, or one booked posting. */
export interface Transaction {
  /** The posting that began it. */
  transactionId: string
  /** The place in the account's order of entries. */
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

/** Which transactions are asked for; null stands for all. */
export interface TransactionFilter {
  from: LocalDate | null
  to: LocalDate | null
  minAmountMinor: bigint | null
  maxAmountMinor: bigint | null
  statuses: readonly TransactionStatus[] | null
  side: Side | null
  text: string | null
}

export interface TransactionFilterAsked {
  from?: LocalDate | null
  to?: LocalDate | null
  minAmount?: string | null
  maxAmount?: string | null
  status?: TransactionStatus[] | null
  creditDebitIndicator?: Side | null
  text?: string | null
}

/**
 * The filter in minor units of the account's currency. Throws INVALID_DATE_RANGE for a period that ends
 * before it begins, VALIDATION_FAILED for amounts that are not of the currency or not in order.
 */
export function transactionFilter(
  asked: TransactionFilterAsked,
  currency: string,
): TransactionFilter {
  const { from = null, to = null } = asked
  if (from !== null && to !== null && to < from) {
    const detail = `The period ends on ${to}, before it begins on ${from}.`
    throw refusal('INVALID_DATE_RANGE', '/filter/to', detail)
  }
  const minor = (name: 'minAmount' | 'maxAmount') => {
    const amount = asked[name] ?? null
    return amount === null ? null : parseAmount(amount, currency, `/filter/${name}`)
  }
  const [minAmountMinor, maxAmountMinor] = [minor('minAmount'), minor('maxAmount')]
  if (minAmountMinor !== null && maxAmountMinor !== null && maxAmountMinor < minAmountMinor) {
    const detail = `maxAmount ${asked.maxAmount} is less than minAmount ${asked.minAmount}.`
    throw refusal('VALIDATION_FAILED', '/filter/maxAmount', detail)
  }
  return {
    from,
    to,
    minAmountMinor,
    maxAmountMinor,
    statuses: asked.status ?? null,
    side: asked.creditDebitIndicator ?? null,
    text: asked.text?.trim() ?? null,
  }
}

function refusal(
  code: 'INVALID_DATE_RANGE' | 'VALIDATION_FAILED',
  pointer: string,
  detail: string,
) {
  const errors = [{ pointer, code, detail }]
  return new Problem(code, { detail, errors })
}
