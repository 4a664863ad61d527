import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Order } from './payment.ts'

/**
 * Which payments of a customer need strong customer authentication. The rules and their numbers are
 * those of the regulatory technical standards, Delegated Regulation (EU) 2018/389 ("RTS").
 */

/** Why a payment needs no strong customer authentication. */
export type Exemption = 'trusted-payee' | 'own-account' | 'low-value'

/** The payments that a customer made under article 16 since the last approved one. */
export interface LowValueCounter {
  amountMinor: bigint
  count: number
}

export const emptyCounter: LowValueCounter = { amountMinor: 0n, count: 0 }

/** RTS, article 16 (a): at most 30 EUR for one payment. */
const maxLowValueMinor = 30_00n
/** RTS, article 16 (b): at most 100 EUR since the last strong customer authentication. */
const maxCumulativeMinor = 100_00n
/** RTS, article 16 (c): at most five consecutive payments. */
const maxConsecutive = 5

export type OrderedPayment = Pick<
  Order,
  | 'partyId'
  | 'debtorArrangementId'
  | 'creditorPartyId'
  | 'creditorArrangementId'
  | 'creditorIban'
  | 'creditorName'
  | 'amountMinor'
  | 'currency'
  | 'remittanceInformation'
  | 'endToEndId'
>

/** What an exemption depends on besides the payment. */
export interface Circumstances {
  /** The party of the customer who orders the payment. */
  callerPartyId: string
  /** Whether the customer has added the payee to the trusted payees. */
  isTrusted: boolean
  counter: LowValueCounter
  /** Whether the payment is the first of a series, such as those of a standing order. */
  isSeries: boolean
}

/**
 * Returns the exemption that applies to a payment of a customer; null if it must be approved. A
 * series must always be approved when it is set up (RTS, article 14 (1)), unless both accounts are
 * the customer's.
 */
export function exemptionOf(
  order: OrderedPayment,
  { callerPartyId, isTrusted, counter, isSeries }: Circumstances,
): Exemption | null {
  // RTS, article 15: the payer and the payee are the same person, with both accounts at this bank.
  if (order.partyId === callerPartyId && order.creditorPartyId === callerPartyId) {
    return 'own-account'
  }
  if (isSeries) return null
  // RTS, article 13 (2): the payee is on a list that the payer created with authentication.
  if (isTrusted) return 'trusted-payee'
  return isLowValue(order, counter) ? 'low-value' : null
}

/**
 * RTS, article 16. A bank may apply either (b) or (c); both apply here, and both include the new
 * payment, which is stricter. Amounts in other currencies are not exempt.
 */
function isLowValue({ amountMinor, currency }: OrderedPayment, counter: LowValueCounter): boolean {
  const after = afterLowValue(counter, amountMinor)
  return (
    currency === 'EUR' &&
    amountMinor <= maxLowValueMinor &&
    after.amountMinor <= maxCumulativeMinor &&
    after.count <= maxConsecutive
  )
}

/** Returns the counter after an exempt payment. An approved payment resets it to `emptyCounter`. */
export function afterLowValue(counter: LowValueCounter, amountMinor: bigint): LowValueCounter {
  return { amountMinor: counter.amountMinor + amountMinor, count: counter.count + 1 }
}

/** Returns the account of a payee as the list of trusted payees has it: its ID or its IBAN. */
export function payeeOf({ creditorArrangementId, creditorIban }: OrderedPayment): string {
  return creditorArrangementId ?? creditorIban!
}

/**
 * Returns what the customer reads and approves: amount, currency and payee (RTS, article 5 (1) (a)),
 * and the debited account, and the texts for the payee, so that none of them can change after the
 * approval. `more` has additional lines, such as those of a standing order.
 */
export function approvalLinesOf(
  order: OrderedPayment,
  more: readonly (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  const { amountMinor, currency, creditorIban, creditorArrangementId, creditorName } = order
  const { remittanceInformation, endToEndId } = order
  return [
    ['Amount', `${formatAmount(amountMinor, currency)} ${currency}`],
    ['Payee', creditorName ?? '(no name given)'],
    ['Account of the payee', creditorIban ?? creditorArrangementId!],
    ['From your account', order.debtorArrangementId],
    ...(remittanceInformation === null
      ? []
      : [['Text for the payee', remittanceInformation] as const]),
    ...(endToEndId === null ? [] : [['Reference', endToEndId] as const]),
    ...more,
  ]
}
