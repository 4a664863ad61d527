import type { PaymentState } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import type { Quote, UsedRate } from './customer-exchange.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

export const paymentTransitions: Transitions<PaymentState> = {
  'pending-signatures': ['scheduled', 'accepted', 'settled', 'rejected', 'cancelled'],
  scheduled: ['accepted', 'settled', 'rejected', 'cancelled'],
  accepted: ['submitted', 'cancelled'],
  submitted: ['acknowledged'],
  acknowledged: ['settled'],
  settled: ['returned'],
  returned: [],
  rejected: [],
  cancelled: [],
}

export const paymentDirections = ['out', 'in'] as const

/** The fields that payments and standing orders have in common. */
export interface Order {
  /** The owner of the debtor account; for an incoming payment, of the creditor account. */
  partyId: string
  debtorArrangementId: string
  /** The name of a registered rail. */
  rail: string
  /** The creditor account at this bank; null if the creditor account is at another bank. */
  creditorArrangementId: string | null
  /** The owner of the creditor account; null if it is at another bank. */
  creditorPartyId: string | null
  /** The creditor IBAN from the request; null if the account was specified by its ID. */
  creditorIban: string | null
  creditorName: string | null
  amountMinor: bigint
  currency: string
  endToEndId: string | null
  remittanceInformation: string | null
}

/** The signatures that a payment needs and has. They are fixed when the payment is created. */
export interface Signing {
  requiredSignatures: number
  signatoryPartyIds: readonly string[]
  /** The party that created the payment. It need not be a signatory. */
  initiatorPartyId: string
  /** In the order of signing. */
  signatures: readonly Signature[]
}

export interface Signature {
  partyId: string
  /** ISO 8601 in UTC. */
  signedAt: string
}

/** A payment from an account at this bank, or an incoming payment from another bank. */
export interface Payment extends Omit<Order, 'debtorArrangementId'>, Versioned {
  paymentId: string
  direction: (typeof paymentDirections)[number]
  state: PaymentState
  debtorArrangementId: string | null
  /** The IBAN of a debtor at another bank; null for outgoing payments. */
  debtorIban: string | null
  debtorName: string | null
  executionDate: LocalDate
  standingOrderId: string | null
  /** The ID of the batch in which the payment was sent; null if it was not sent in a batch. */
  batchId: string | null
  /**
   * The problem code of a rejection or of a cancellation by the bank, or the ISO 20022 reason code
   * of a return; null otherwise.
   */
  reasonCode: string | null
  /**
   * The cut-off at which the rail sends the payment; null if the payment was not accepted for a
   * cut-off or was cancelled.
   */
  cutOffAt: Date | null
  /** When the simulated bank will return the payment; null if no return is expected. */
  dueAt: Date | null
  settledAt: Date | null
  // The following fields are null if the payment is not an exchange.
  creditedMinor: bigint | null
  creditedCurrency: string | null
  exchange: UsedRate | null
  // The following fields are null if the payment never waited for signatures.
  signing: Signing | null
  /** When the payment is rejected if it still waits for signatures. */
  signaturesExpireAt: Date | null
}

/** Creates a scheduled outgoing payment. */
export function scheduledPayment(
  order: Order,
  identity: Versioned & { paymentId: string },
  executionDate: LocalDate,
  standingOrderId: string | null = null,
): Payment {
  return {
    ...order,
    ...identity,
    direction: 'out',
    state: 'scheduled',
    debtorIban: null,
    debtorName: null,
    executionDate,
    standingOrderId,
    batchId: null,
    reasonCode: null,
    cutOffAt: null,
    dueAt: null,
    settledAt: null,
    creditedMinor: null,
    creditedCurrency: null,
    exchange: null,
    signing: null,
    signaturesExpireAt: null,
  }
}

/**
 * Returns a payment with a quoted exchange. The amount sold is debited, and the amount bought is
 * credited.
 */
export function withExchange(payment: Payment, { sold, bought, exchange }: Quote): Payment {
  return {
    ...payment,
    amountMinor: sold.amountMinor,
    currency: sold.currency,
    creditedMinor: bought.amountMinor,
    creditedCurrency: bought.currency,
    exchange,
  }
}

/** Returns the credited amount of an exchange; null if the payment is not an exchange. */
export function creditedOf({ creditedMinor, creditedCurrency }: Payment): Money | null {
  if (creditedMinor === null || creditedCurrency === null) return null
  return { amountMinor: creditedMinor, currency: creditedCurrency }
}

/** Changes the state of a payment. Throws INVALID_STATE_TRANSITION. */
export function transitionPayment(
  payment: Payment,
  to: PaymentState,
  changes: Partial<Payment> = {},
): Payment {
  assertTransition(paymentTransitions, payment.state, to, payment.paymentId)
  return { ...payment, ...changes, state: to }
}

export function moneyOf({
  amountMinor,
  currency,
}: Pick<Payment, 'amountMinor' | 'currency'>): Money {
  return { amountMinor, currency }
}

/** Returns the parties who may see a payment. The creditor sees it only in the state `settled`. */
export function viewersOf({ partyId, creditorPartyId, state }: Payment): string[] {
  const isShared = creditorPartyId !== null && creditorPartyId !== partyId && state === 'settled'
  return isShared ? [partyId, creditorPartyId] : [partyId]
}
