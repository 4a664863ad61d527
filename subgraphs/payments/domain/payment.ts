import type { LocalDate } from '../../_kernel/domain/dates.ts'
import type { Money } from '../../_kernel/domain/money.ts'
import type { Quote, UsedRate } from './customer-exchange.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const paymentStates = [
  'scheduled',
  'accepted',
  'submitted',
  'acknowledged',
  'settled',
  'returned',
  'rejected',
  'cancelled',
] as const
export type PaymentState = (typeof paymentStates)[number]

export const paymentMoves: Transitions<PaymentState> = {
  scheduled: ['accepted', 'settled', 'rejected', 'cancelled'],
  accepted: ['submitted', 'cancelled'],
  submitted: ['acknowledged'],
  acknowledged: ['settled'],
  settled: ['returned'],
  returned: [],
  rejected: [],
  cancelled: [],
}

export const railNames = ['internal', 'sct'] as const
export type RailName = (typeof railNames)[number]

export const paymentDirections = ['out', 'in'] as const

/** Who is paid what from which account: what a transfer and each execution of a standing order are. */
export interface Order {
  /** The party whose money it is. */
  partyId: string
  debtorArrangementId: string
  rail: RailName
  /** Inside the bank: the account, and its owner. */
  creditorArrangementId: string | null
  creditorPartyId: string | null
  /** As it was asked for; null where the account was named by its id. */
  creditorIban: string | null
  creditorName: string | null
  amountMinor: bigint
  currency: string
  endToEndId: string | null
  remittanceInformation: string | null
}

/** One payment: from an account of the bank, or to one from outside. */
export interface Payment extends Omit<Order, 'debtorArrangementId'>, Versioned {
  paymentId: string
  direction: (typeof paymentDirections)[number]
  state: PaymentState
  debtorArrangementId: string | null
  /** Of a payer outside. */
  debtorIban: string | null
  debtorName: string | null
  executionDate: LocalDate
  standingOrderId: string | null
  /** The batch of the rail it went out with. */
  batchId: string | null
  /** Why it was rejected or returned. */
  reasonCode: string | null
  /** When the rail sends it. */
  cutOffAt: Date | null
  /** When the simulated outside sends it back. */
  dueAt: Date | null
  settledAt: Date | null
  /** What arrives where that is another currency, and the rate; all null otherwise. */
  creditedMinor: bigint | null
  creditedCurrency: string | null
  exchange: UsedRate | null
}

/** A payment out that nothing was done about yet. */
export function scheduledPayment(
  order: Order,
  made: Versioned & { paymentId: string },
  executionDate: LocalDate,
  standingOrderId: string | null = null,
): Payment {
  return {
    ...order,
    ...made,
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
  }
}

/** A payment that exchanges currencies: the debtor is debited what is sold, the creditor gets what is bought. */
export function exchangingPayment(payment: Payment, { sold, bought, exchange }: Quote): Payment {
  return {
    ...payment,
    amountMinor: sold.amountMinor,
    currency: sold.currency,
    creditedMinor: bought.amountMinor,
    creditedCurrency: bought.currency,
    exchange,
  }
}

/** What arrives in another currency; null where one currency is moved. */
export function creditedOf({ creditedMinor, creditedCurrency }: Payment): Money | null {
  if (creditedMinor === null || creditedCurrency === null) return null
  return { amountMinor: creditedMinor, currency: creditedCurrency }
}

/** Moves a payment on. Refuses with INVALID_STATE_TRANSITION. */
export function movePayment(
  payment: Payment,
  to: PaymentState,
  changes: Partial<Payment> = {},
): Payment {
  requireMove(paymentMoves, payment.state, to, payment.paymentId)
  return { ...payment, ...changes, state: to }
}

export function moneyOf({
  amountMinor,
  currency,
}: Pick<Payment, 'amountMinor' | 'currency'>): Money {
  return { amountMinor, currency }
}

/** Whose it is; one inside the bank is the receiver's too from when they have the money. */
export function ownersOf({ partyId, creditorPartyId, state }: Payment): string[] {
  const isShared = creditorPartyId !== null && creditorPartyId !== partyId && state === 'settled'
  return isShared ? [partyId, creditorPartyId] : [partyId]
}
