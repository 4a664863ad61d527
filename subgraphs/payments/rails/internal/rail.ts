import { creditedOf, moneyOf, transitionPayment } from '../../domain/payment.ts'
import { termsOf } from '../../domain/rail.ts'
import type { PaymentRail } from '../payment-rail.ts'

/** The rail for payments inside the bank, which are booked immediately. */
export const internal: PaymentRail = {
  name: 'internal',
  description: 'The payment stays inside the bank and is booked immediately.',
  isSimulated: false,
  settlementAccount: 'settlement',
  reaches: ({ arrangementId }) => arrangementId !== null,
  execute(payment, now) {
    const { debtorArrangementId, creditorArrangementId } = payment
    return {
      payment: transitionPayment(payment, 'settled', { settledAt: now }),
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
  leavesOn: null,
  workers: () => [],
}
