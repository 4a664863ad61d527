import {
  IncomingRequest,
  CreateTransferInput,
  ExchangeQuoteInput,
} from '../model/payment-inputs.ts'
import { PaymentState } from '../model/enumerations.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { maySee, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { railOf } from '../rails/registry.ts'
import type { UsedRate } from '../domain/customer-exchange.ts'
import { creditedOf, moneyOf, type Payment as PaymentRecord } from '../domain/payment.ts'
import { receivePayment } from '../commands/incoming-payment.ts'
import { quoteTransfer } from '../commands/quote-transfer.ts'
import { listPayments, loadPayment } from '../store/payment.ts'
import { cancelPayment, createTransfer } from '../commands/transfer.ts'
import { ExchangeQuote, Payment, PaymentConnection, TransferExchange } from '../model/payment.ts'

@Resolver(() => Payment)
export class PaymentResolver {
  @Requires('postings:write')
  @Mutation(() => Payment, {
    description:
      'Creates a payment from an account, to be executed today or on its execution date. A ' +
      'payment inside the bank is booked immediately; a payment to another bank is sent with the ' +
      'next batch. If both accounts belong to the same customer but have different currencies, ' +
      'the amount is converted at the current rate, and `amount` can be in either currency.',
  })
  async createTransfer(
    @Arg('input', () => CreateTransferInput, { description: 'The payment to create.' })
    input: CreateTransferInput,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await createTransfer(context, input))
  }

  @Requires('postings:read')
  @Query(() => ExchangeQuote, {
    description:
      'Quotes an exchange between two accounts of one customer at the rate in force. Nothing is ' +
      'stored. To exchange only at the quoted rate, pass the `exchangeRateId` of the quote to ' +
      '`createTransfer`.',
  })
  async exchangeQuote(
    @Arg('input', () => ExchangeQuoteInput, { description: 'The exchange to quote.' })
    input: ExchangeQuoteInput,
    @Ctx() context: Context,
  ): Promise<ExchangeQuote> {
    const { sold, bought, exchange } = await quoteTransfer(context, input)
    return { sold: moneyOut(sold), bought: moneyOut(bought), exchange: exchangeOut(exchange) }
  }

  @Requires('postings:write')
  @Mutation(() => Payment, { description: 'Cancels a payment that has not been sent.' })
  async cancelPayment(
    @Arg('paymentId', () => ID, { description: 'The ID of the payment.' }) paymentId: string,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await cancelPayment(context, paymentId))
  }

  @Requires('postings:write')
  @Mutation(() => Payment, {
    description:
      'Simulates an incoming payment from another bank. Available only in the sandbox. Not ' +
      'available to delegated users.',
  })
  async simulateIncomingPayment(
    @Arg('input', () => IncomingRequest, { description: 'The payment to simulate.' })
    input: IncomingRequest,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await receivePayment(context, input))
  }

  @Requires('postings:read')
  @Query(() => Payment, { nullable: true, description: 'Returns a payment.' })
  async payment(
    @Arg('paymentId', () => ID, { description: 'The ID of the payment.' }) paymentId: string,
    @Ctx() context: Context,
  ): Promise<Payment> {
    const found = await loadPayment(context, paymentId)
    if (found) return paymentOut(context, found)
    throw new Problem('PAYMENT_NOT_FOUND', { resourceId: paymentId })
  }

  @Requires('postings:read')
  @Query(() => PaymentConnection, {
    description: 'Lists payments in the order in which they were created.',
  })
  payments(
    @Arg('arrangementId', () => ID, {
      nullable: true,
      description: 'Returns only payments from or to this account.',
    })
    arrangementId: string | null,
    @Arg('standingOrderId', () => ID, {
      nullable: true,
      description: 'Returns only payments made by this standing order.',
    })
    standingOrderId: string | null,
    @Arg('state', () => PaymentState, {
      nullable: true,
      description: 'Returns only payments in this state.',
    })
    state: PaymentState | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    const filter = {
      arrangementId: arrangementId ?? null,
      standingOrderId: standingOrderId ?? null,
      state: state ?? null,
    }
    return readPage(
      context,
      'payments',
      filter,
      { first, after },
      async (cursor, take) => {
        const records = await listPayments(context, filter, cursor, take)
        return Promise.all(records.map((payment) => paymentOut(context, payment)))
      },
      ({ createdAt, paymentId }) => [createdAt.toISOString(), paymentId],
    )
  }
}

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
  const isPayee = maySee(context.caller, [creditorPartyId])
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
  }
}

function exchangeOut({ asOf, ...exchange }: UsedRate): TransferExchange {
  return { ...exchange, asOf: new Date(asOf) }
}
