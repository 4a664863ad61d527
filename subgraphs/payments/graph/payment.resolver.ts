import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import { maySee, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { idsGranted } from '../../_kernel/entitlements.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { railOf } from '../booking.ts'
import type { UsedRate } from '../domain/customer-exchange.ts'
import {
  creditedOf,
  moneyOf,
  type Payment as PaymentRecord,
  type PaymentState,
} from '../domain/payment.ts'
import { receivePayment } from '../incoming.ts'
import { quoteTransfer } from '../quote-transfer.ts'
import { listPayments, loadPayment } from '../store/payment.ts'
import { cancelPayment, createTransfer } from '../transfers.ts'
import {
  CreateTransferInput,
  ExchangeQuote,
  ExchangeQuoteInput,
  Payment,
  PaymentConnection,
  PaymentStateEnum,
  SimulateIncomingPaymentInput,
  TransferExchange,
} from './payment.types.ts'

@Resolver(() => Payment)
export class PaymentResolver {
  @Requires('postings:write')
  @Mutation(() => Payment, {
    description:
      'Pays from an account: inside the bank at once, to another bank with the next batch; on a later day if asked for. ' +
      'Between two accounts of one customer in different currencies it exchanges at the rate in force; ' +
      '`amount` is then in the currency of either account.',
  })
  async createTransfer(
    @Arg('input', () => CreateTransferInput) input: CreateTransferInput,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await createTransfer(context, input))
  }

  @Requires('postings:read')
  @Query(() => ExchangeQuote, {
    description:
      'Quotes an exchange between two accounts of one customer at the rate in force, without making it. ' +
      '`createTransfer` makes it; with the `exchangeRateId` of the quote it is made at that rate or not at all.',
  })
  async exchangeQuote(
    @Arg('input', () => ExchangeQuoteInput) input: ExchangeQuoteInput,
    @Ctx() context: Context,
  ): Promise<ExchangeQuote> {
    const { sold, bought, exchange } = await quoteTransfer(context, input)
    return { sold: moneyOut(sold), bought: moneyOut(bought), exchange: exchangeOut(exchange) }
  }

  @Requires('postings:write')
  @Mutation(() => Payment, { description: 'Gives up a payment that was not sent yet.' })
  async cancelPayment(
    @Arg('paymentId', () => ID) paymentId: string,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await cancelPayment(context, paymentId))
  }

  @Requires('postings:write')
  @Mutation(() => Payment, {
    description: 'Lets money come in from another bank, as if it had been sent. In the sandbox.',
  })
  async simulateIncomingPayment(
    @Arg('input', () => SimulateIncomingPaymentInput) input: SimulateIncomingPaymentInput,
    @Ctx() context: Context,
  ): Promise<Payment> {
    return paymentOut(context, await receivePayment(context, input))
  }

  @Requires('postings:read')
  @Query(() => Payment, { nullable: true, description: 'One payment.' })
  async payment(
    @Arg('paymentId', () => ID) paymentId: string,
    @Ctx() context: Context,
  ): Promise<Payment> {
    const found = await loadPayment(context, paymentId)
    if (found) return paymentOut(context, found)
    throw new Problem('PAYMENT_NOT_FOUND', { resourceId: paymentId })
  }

  @Requires('postings:read')
  @Query(() => PaymentConnection, { description: 'Payments in the order they were created.' })
  payments(
    @Arg('arrangementId', () => ID, { nullable: true }) arrangementId: string | null,
    @Arg('standingOrderId', () => ID, { nullable: true }) standingOrderId: string | null,
    @Arg('state', () => PaymentStateEnum, { nullable: true }) state: PaymentState | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
      async (from, take) => {
        const found = await listPayments(context, filter, from, take)
        return Promise.all(found.map((payment) => paymentOut(context, payment)))
      },
      ({ createdAt, paymentId }) => [createdAt.toISOString(), paymentId],
    )
  }
}

/** A payment as the graph answers it; which account of another party it touches is theirs to know. */
export async function paymentOut(context: Context, payment: PaymentRecord): Promise<Payment> {
  const { debtorArrangementId, creditorArrangementId, creditorPartyId, partyId } = payment
  const { exchange } = payment
  const credited = creditedOf(payment)
  const granted = await idsGranted(context, 'arrangement')
  const isPayer =
    maySee(context.caller, [partyId]) || granted.some((id) => id === debtorArrangementId)
  const isReceiver = maySee(context.caller, [creditorPartyId])
  const stub = (id: string | null, isSeen: boolean) =>
    id !== null && isSeen ? { arrangementId: id } : null
  return {
    ...payment,
    amount: moneyOut(moneyOf(payment)),
    creditedAmount: credited && moneyOut(credited),
    exchange: exchange && exchangeOut(exchange),
    isSimulated: railOf(payment.rail).isSimulated,
    debtorArrangement: stub(debtorArrangementId, isPayer),
    creditorArrangement: stub(creditorArrangementId, isReceiver),
  }
}

function exchangeOut({ asOf, ...exchange }: UsedRate): TransferExchange {
  return { ...exchange, asOf: new Date(asOf) }
}
