import { maySee, requireFound } from '../../../kernel/authorization/auth.ts'
import { accountsHeld, idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { id, money, object, oneOf } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { receivePayment } from '../commands/incoming-payment.ts'
import { declinePayment, signPayment } from '../commands/sign-payment.ts'
import { quoteTransfer } from '../commands/quote-transfer.ts'
import { cancelPayment, createTransfer } from '../commands/transfer.ts'
import type { Quote, UsedRate } from '../domain/customer-exchange.ts'
import { creditedOf, moneyOf, type Payment as PaymentRecord } from '../domain/payment.ts'
import { PaymentState } from '../model/enumerations.ts'
import {
  CreateTransferInput,
  ExchangeQuoteInput,
  IncomingRequest,
} from '../model/payment-inputs.ts'
import { ExchangeQuote, Payment, type TransferExchange } from '../model/payment.ts'
import { railOf } from '../rails/registry.ts'
import { listPaymentsToSign, loadPayment } from '../store/payment.ts'
import { listPayments } from '../store/payment-list.ts'

export const PaymentOperations = resolverOf({
  queries: {
    exchangeQuote: operation({
      description:
        'Quotes an exchange between two accounts of one customer at the rate in force. Nothing is ' +
        'stored. To exchange only at the quoted rate, pass the `exchangeRateId` of the quote to ' +
        '`createTransfer`.',
      scope: 'postings:read',
      returns: ExchangeQuote,
      args: { input: object(ExchangeQuoteInput, 'The exchange to quote.') },
      resolve: async (context, { input }) => quoteOut(await quoteTransfer(context, input)),
    }),
    payment: lookup(Payment, {
      description: 'Returns a payment.',
      scope: 'postings:read',
      async find(context, paymentId) {
        const found = await loadPayment(context, paymentId)
        return paymentOut(context, requireFound(found, 'PAYMENT_NOT_FOUND', paymentId))
      },
    }),
    paymentsToSign: listing(Payment, {
      description:
        'Lists the payments that wait for the signature of the caller, in the order in which they ' +
        'were created. A caller that acts for no party gets all payments that wait for signatures.',
      scope: 'postings:read',
      filters: {
        arrangementId: id('Returns only payments from this account.').orNull(),
      },
      async list(context, filter, after, take) {
        const records = await listPaymentsToSign(context, filter, after, take)
        return Promise.all(records.map((payment) => paymentOut(context, payment)))
      },
      sortKey: ({ createdAt, paymentId }) => [createdAt.toISOString(), paymentId],
    }),
    payments: listing(Payment, {
      description: 'Lists payments in the order in which they were created.',
      scope: 'postings:read',
      filters: {
        arrangementId: id('Returns only payments from or to this account.').orNull(),
        standingOrderId: id('Returns only payments made by this standing order.').orNull(),
        state: oneOf(PaymentState, 'Returns only payments in this state.').orNull(),
        amount: money('Returns only payments of exactly this amount.').orNull(),
      },
      async list(context, { amount: given, ...filter }, after, take) {
        const amount = given && {
          amountMinor: parseAmount(given.amount, given.currency, '/amount/amount'),
          currency: given.currency,
        }
        const records = await listPayments(context, { ...filter, amount }, after, take)
        return Promise.all(records.map((payment) => paymentOut(context, payment)))
      },
      sortKey: ({ createdAt, paymentId }) => [createdAt.toISOString(), paymentId],
    }),
  },
  mutations: {
    signPayment: operation({
      description:
        'Signs a payment that waits for signatures. The last signature that is needed executes the ' +
        'payment, or schedules it for its execution date; if that fails, for example with ' +
        '`INSUFFICIENT_FUNDS`, the payment keeps waiting without the signature. Only for signatories ' +
        'who act themselves.',
      scope: 'postings:write',
      returns: Payment,
      args: { paymentId: id('The ID of the payment.') },
      resolve: async (context, { paymentId }) =>
        paymentOut(context, await signPayment(context, paymentId)),
    }),
    declinePayment: operation({
      description:
        'Declines to sign a payment that waits for signatures, which rejects the payment. Only for ' +
        'signatories who act themselves.',
      scope: 'postings:write',
      returns: Payment,
      args: { paymentId: id('The ID of the payment.') },
      resolve: async (context, { paymentId }) =>
        paymentOut(context, await declinePayment(context, paymentId)),
    }),
    createTransfer: operation({
      description:
        'Creates a payment from an account, to be executed today or on its execution date. A ' +
        'payment inside the bank is booked immediately; a payment to another bank is sent with the ' +
        'next batch. If both accounts belong to the same customer but have different currencies, ' +
        'the amount is converted at the current rate, and `amount` can be in either currency. A ' +
        'payment of a customer that the signing rule of the account does not let one person make ' +
        'waits for the signatures of others (`PENDING_SIGNATURES`).',
      scope: 'postings:write',
      returns: Payment,
      args: { input: object(CreateTransferInput, 'The payment to create.') },
      resolve: async (context, { input }) =>
        paymentOut(context, await createTransfer(context, input)),
    }),
    cancelPayment: operation({
      description: 'Cancels a payment that has not been sent.',
      scope: 'postings:write',
      returns: Payment,
      args: { paymentId: id('The ID of the payment.') },
      resolve: async (context, { paymentId }) =>
        paymentOut(context, await cancelPayment(context, paymentId)),
    }),
    simulateIncomingPayment: operation({
      description:
        'Simulates an incoming payment from another bank. Available only in the sandbox. Not ' +
        'available to delegated users.',
      scope: 'postings:write',
      returns: Payment,
      args: { input: object(IncomingRequest, 'The payment to simulate.') },
      resolve: async (context, { input }) =>
        paymentOut(context, await receivePayment(context, input)),
    }),
  },
})

/**
 * Converts a payment to its GraphQL type. Only a payer sees the debtor's account, and only a payee
 * sees the creditor's account. The bank counts as both.
 */
export async function paymentOut(context: Context, payment: PaymentRecord): Promise<Payment> {
  const { debtorArrangementId, creditorArrangementId, creditorPartyId, partyId } = payment
  const { exchange } = payment
  const creditedMoney = creditedOf(payment)
  const grantedIds = await idsGranted(context, 'arrangement')
  const isPayer =
    maySee(context.caller, [partyId]) || grantedIds.some((id) => id === debtorArrangementId)
  const isPayee =
    maySee(context.caller, [creditorPartyId]) ||
    (await accountsHeld(context)).some((id) => id === creditorArrangementId)
  const stub = (id: string | null, isVisible: boolean) =>
    id !== null && isVisible ? { arrangementId: id } : null
  return {
    ...payment,
    amount: moneyOut(moneyOf(payment)),
    creditedAmount: creditedMoney && moneyOut(creditedMoney),
    exchange: exchange && exchangeOut(exchange),
    isSimulated: railOf(payment.rail).isSimulated,
    debtorArrangement: stub(debtorArrangementId, isPayer),
    creditorArrangement: stub(creditorArrangementId, isPayee),
    ...signingOut(isPayer ? payment : null),
  }
}

/** Returns the signatures of a payment for those who may see them; none for a payment that is null. */
function signingOut(payment: PaymentRecord | null): Pick<Payment, 'signing' | 'signatures'> {
  if (!payment?.signing) return { signing: null, signatures: [] }
  const { requiredSignatures, signatoryPartyIds, initiatorPartyId, signatures } = payment.signing
  const expiresAt = payment.signaturesExpireAt!
  return {
    signing: { requiredSignatures, signatoryPartyIds, expiresAt },
    signatures: signatures.map(({ partyId, signedAt }) => ({
      partyId,
      party: { partyId },
      isInitiator: partyId === initiatorPartyId,
      signedAt: new Date(signedAt),
    })),
  }
}

function quoteOut({ sold, bought, exchange }: Quote): ExchangeQuote {
  return { sold: moneyOut(sold), bought: moneyOut(bought), exchange: exchangeOut(exchange) }
}

function exchangeOut({ asOf, ...exchange }: UsedRate): TransferExchange {
  return { ...exchange, asOf: new Date(asOf) }
}
