import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { internalAccountId } from '../../../ledger/domain/account.ts'
import { movement } from '../../../ledger/domain/authorization.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'
import { moneyOf, transitionPayment, type Payment } from './payment.ts'
import { termsOf, type Rail, type PaymentStep } from './rail.ts'

/** A rail that collects payments until a cut-off and sends them as a batch. */
export interface BatchRail extends Rail {
  /** Returns the first cut-off after an instant. */
  cutOffAfter(now: Date): Date
  /** Returns when the acknowledgement of a batch is due. */
  acknowledgedAt(cutOffAt: Date): Date
  settlesAt(cutOffAt: Date): Date
  /** Returns when a settled payment will be returned; null if no return is expected. */
  returnsAt(payment: Payment, settlesAt: Date): Date | null
}

export const batchStates = ['sent', 'acknowledged', 'settled'] as const
export type BatchState = (typeof batchStates)[number]

export const batchTransitions: Transitions<BatchState> = {
  sent: ['acknowledged'],
  acknowledged: ['settled'],
  settled: [],
}

/** Payments that are sent together at one cut-off. */
export interface RailBatch extends Versioned {
  batchId: string
  rail: string
  currency: string
  state: BatchState
  /** The number of payments. */
  payments: number
  totalMinor: bigint
  cutOffAt: Date
  settlesAt: Date
  /** When the next state transition is due; null in the final state. */
  dueAt: Date | null
}

/** The next state of a batch and of its payments, with the instructions to book. */
export interface BatchStep {
  batch: RailBatch
  payments: Payment[]
  instructions: Instruction[]
}

/** Accepts a due payment and reserves its amount until the cut-off. */
export function accept(rail: BatchRail, payment: Payment, now: Date): PaymentStep {
  const { paymentId, currency } = payment
  return {
    payment: transitionPayment(payment, 'accepted', { cutOffAt: rail.cutOffAfter(now) }),
    instructions: [
      {
        ...termsOf(paymentId, dateOf(now), now),
        type: 'outbound-authorisation',
        accountId: payment.debtorArrangementId!,
        contraId: internalAccountId(rail.settlementAccount, currency),
        money: moneyOf(payment),
        clientTransactionId: paymentId,
        expiresAt: null,
      },
    ],
  }
}

/** Sends the accepted payments of one cut-off and settles their authorizations. */
export function send(
  rail: BatchRail,
  payments: readonly Payment[],
  identity: Versioned & { batchId: string },
  now: Date,
): BatchStep {
  const { cutOffAt, currency } = payments[0]!
  const day = dateOf(cutOffAt!)
  return {
    batch: {
      ...identity,
      rail: rail.name,
      currency,
      state: 'sent',
      payments: payments.length,
      totalMinor: payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      cutOffAt: cutOffAt!,
      settlesAt: rail.settlesAt(cutOffAt!),
      dueAt: rail.acknowledgedAt(cutOffAt!),
    },
    payments: payments.map((payment) =>
      transitionPayment(payment, 'submitted', { batchId: identity.batchId }),
    ),
    instructions: payments.map(({ paymentId }) => ({
      ...termsOf(paymentId, day, now),
      type: 'settlement',
      clientTransactionId: paymentId,
      money: null,
      isFinal: true,
    })),
  }
}

/** Acknowledges a sent batch, or settles an acknowledged batch from the nostro. */
export function advance(
  rail: BatchRail,
  batch: RailBatch,
  payments: readonly Payment[],
  now: Date,
): BatchStep {
  const nextState = batch.state === 'sent' ? 'acknowledged' : 'settled'
  assertTransition(batchTransitions, batch.state, nextState, batch.batchId)
  if (nextState === 'acknowledged') {
    return {
      batch: { ...batch, state: nextState, dueAt: batch.settlesAt },
      payments: payments.map((payment) => transitionPayment(payment, nextState)),
      instructions: [],
    }
  }
  const { batchId, currency, totalMinor: amountMinor, settlesAt } = batch
  const [transit, nostro] = accountsOf(rail, currency)
  return {
    batch: { ...batch, state: nextState, dueAt: null },
    payments: payments.map((payment) =>
      transitionPayment(payment, nextState, {
        settledAt: now,
        dueAt: rail.returnsAt(payment, settlesAt),
      }),
    ),
    instructions: [
      {
        ...termsOf(batchId, dateOf(settlesAt), now),
        type: 'custom',
        legs: movement('committed', transit, nostro, { amountMinor, currency }),
      },
    ],
  }
}

/**
 * Returns a payment to the account that it debited, or to `suspense` if that account cannot be
 * credited.
 */
export function returnTo(
  rail: Rail,
  payment: Payment,
  { reasonCode, isCreditable }: { reasonCode: string; isCreditable: boolean },
  now: Date,
): PaymentStep {
  const { debtorArrangementId, currency } = payment
  const accountId = isCreditable ? debtorArrangementId! : internalAccountId('suspense', currency)
  return {
    payment: transitionPayment(payment, 'returned', { reasonCode, dueAt: null }),
    instructions: incomingPostings(rail, payment, accountId, dateOf(payment.dueAt ?? now), now),
  }
}

/**
 * Returns the instructions that book incoming money to the nostro and, through the settlement
 * account of the rail, to an account.
 */
export function incomingPostings(
  rail: Rail,
  payment: Payment,
  accountId: string,
  day: LocalDate,
  now: Date,
): Instruction[] {
  const money = moneyOf(payment)
  const terms = termsOf(payment.paymentId, day, now)
  const [transit, nostro] = accountsOf(rail, money.currency)
  return [
    { ...terms, type: 'custom', legs: movement('committed', nostro, transit, money) },
    { ...terms, type: 'custom', legs: movement('committed', transit, accountId, money) },
  ]
}

function accountsOf({ settlementAccount }: Rail, currency: string): [string, string] {
  return [internalAccountId(settlementAccount, currency), internalAccountId('nostro', currency)]
}
