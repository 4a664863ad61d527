import { addDays, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Instruction } from '../../_ledger/domain/instruction.ts'
import { valueDateWindowDays } from '../../_ledger/domain/posting.ts'
import { creditedOf, moneyOf, movePayment, type Payment, type RailName } from './payment.ts'

/** A payment one step further, and what is booked with it: both or neither. */
export interface Step {
  payment: Payment
  instructions: Instruction[]
}

/** A way for money to leave an account. What goes on after it was taken is the rail's own clockwork. */
export interface Rail {
  readonly name: RailName
  /** Whether it only pretends that there is another bank. */
  readonly isSimulated: boolean
  /** Whether it can pay that account in that currency. */
  reaches(iban: string, currency: string): boolean
  /** Takes a payment that is due: the state it is in then, and what is booked. */
  take(payment: Payment, now: Date): Step
  /** The day on which a payment executed on `date` leaves the bank's nostro; null when it never does. */
  leavesOn(date: LocalDate): LocalDate | null
}

/** Within the bank: booked at once, from one account to the other. */
export const internal: Rail = {
  name: 'internal',
  isSimulated: false,
  reaches: () => false,
  take(payment, now) {
    const { debtorArrangementId, creditorArrangementId } = payment
    return {
      payment: movePayment(payment, 'settled', { settledAt: now }),
      instructions: [
        {
          ...termsOf(payment.paymentId, payment.executionDate, now),
          type: 'transfer',
          debtorId: debtorArrangementId!,
          creditorId: creditorArrangementId!,
          money: moneyOf(payment),
          creditorMoney: creditedOf(payment),
        },
      ],
    }
  },
  leavesOn: () => null,
}

/** Gives a payment up that was not sent; what was promised for it is free again. Refuses with INVALID_STATE_TRANSITION. */
export function cancel(payment: Payment, now: Date): Step {
  const cancelled = movePayment(payment, 'cancelled', { cutOffAt: null })
  if (payment.state === 'scheduled') return { payment: cancelled, instructions: [] }
  const terms = termsOf(payment.paymentId, dateOf(now), now)
  return {
    payment: cancelled,
    instructions: [
      { ...terms, type: 'release', clientTransactionId: payment.paymentId, isExpiry: false },
    ],
  }
}

/**
 * The terms of a posting for a payment or a batch, by whose id its postings are found. It is
 * valued on the day it was for, as far back as the books take.
 */
export function termsOf(id: string, day: LocalDate, now: Date) {
  const oldest = addDays(dateOf(now), -valueDateWindowDays)
  const valueDate = day < oldest ? oldest : day
  return { valueDate, isAdvice: false, clientTransactionId: id }
}
