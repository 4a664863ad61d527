import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { ChartCode } from '../../../ledger/domain/account.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'
import { pastValueDate } from '../../../ledger/domain/posting.ts'
import { transitionPayment, type Payment } from './payment.ts'

/**
 * The next state of a payment, with the instructions to book. The state and the postings must be
 * committed together.
 */
export interface PaymentStep {
  payment: Payment
  instructions: Instruction[]
}

/** The account of the other party: an account at this bank, or an IBAN at another bank. */
export interface Destination {
  arrangementId: string | null
  iban: string | null
  currency: string
}

/** The rules of a payment rail. */
export interface Rail {
  /** The name stored with each payment. In upper case, it is a value of the GraphQL enum `Rail`. */
  readonly name: string
  /** The description of the enum value, as a whole sentence. */
  readonly description: string
  /** Whether the rail simulates the other bank. */
  readonly isSimulated: boolean
  /** The chart code of the internal account that holds money in transit. */
  readonly settlementAccount: ChartCode
  reaches(destination: Destination): boolean
  /** Executes a due payment: returns its new state and the instructions to book. */
  execute(payment: Payment, now: Date): PaymentStep
  /**
   * Returns the day on which a payment executed on `date` leaves the bank's nostro; null for a rail
   * that stays inside the bank.
   */
  readonly leavesOn: ((date: LocalDate) => LocalDate) | null
}

/**
 * Cancels a payment that has not been sent and releases its authorization, if it has one. Throws
 * INVALID_STATE_TRANSITION.
 */
export function cancel(payment: Payment, now: Date): PaymentStep {
  const cancelledPayment = transitionPayment(payment, 'cancelled', { cutOffAt: null })
  if (payment.state === 'scheduled' || payment.state === 'pending-signatures') {
    return { payment: cancelledPayment, instructions: [] }
  }
  const terms = termsOf(payment.paymentId, dateOf(now), now)
  return {
    payment: cancelledPayment,
    instructions: [
      { ...terms, type: 'release', clientTransactionId: payment.paymentId, isExpiry: false },
    ],
  }
}

/**
 * Returns the terms of a posting for a payment or a batch. The ID of the payment or batch becomes
 * the client transaction ID. The value date is `day`, or the oldest value date that the ledger
 * accepts if `day` is earlier.
 */
export function termsOf(id: string, day: LocalDate, now: Date) {
  return { valueDate: pastValueDate(day, now), isAdvice: false, clientTransactionId: id }
}
