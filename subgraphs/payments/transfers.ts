import { fingerprint } from '../_kernel/answer.ts'
import { maySee } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { requireEstateRight } from '../_kernel/deceased.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { isWithin } from '../_kernel/domain/entitlement.ts'
import { formatAmount } from '../_kernel/domain/money.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { grantsOf, mayUse } from '../_kernel/entitlements.ts'
import { readFacts } from '../_kernel/facts.ts'
import { requireOtherBanks } from '../_kernel/other-banks.ts'
import { versioned } from '../_kernel/records.ts'
import { exchangeFor } from './customer-exchanges.ts'
import { bookStep, created, moved, railOf, take } from './booking.ts'
import { requireBooked } from '../_ledger/book.ts'
import {
  executionDateOf,
  ibanFrom,
  orderOf,
  refused,
  type AccountFact,
  type OrderAsked,
} from './domain/order.ts'
import {
  exchangingPayment,
  ownersOf,
  scheduledPayment,
  type Order,
  type Payment,
} from './domain/payment.ts'
import type { Quote } from './domain/customer-exchange.ts'
import { cancel } from './domain/rail.ts'
import { paymentKind } from './store/payment.ts'

export interface TransferAsked extends OrderAsked {
  paymentId?: string | null
  executionDate?: LocalDate | null
  /** The quoted rate of an exchange. */
  exchangeRateId?: string | null
}

/**
 * Pays from an account of the bank, today or on a later day. One for today is given to its rail in
 * the same commit. The same id with the same content answers the payment that is there.
 * Refuses with RESOURCE_EXISTS, EXECUTION_DATE_OUT_OF_RANGE, as `readOrder`, NOT_ENTITLED and
 * LIMIT_EXCEEDED who pays from another party's account, as `exchangeFor` between two currencies, and one for today with the code of what the books do not allow, INSUFFICIENT_FUNDS first of all.
 */
export function createTransfer(context: Context, asked: TransferAsked): Promise<Payment> {
  return command(context, 'createTransfer', asked, async () => {
    const contentHash = fingerprint('createTransfer', asked)
    const existing = asked.paymentId ? await paymentKind.find(context, asked.paymentId) : null
    if (existing) return await answerAgain(context, existing, contentHash)
    const now = context.now()
    const executionDate = executionDateOf(asked.executionDate, now)
    const isLater = executionDate > dateOf(now)
    const { order, quote } = await readTransfer(context, asked, isLater)
    await requireWithin(context, order, isLater)
    const paymentId = asked.paymentId ?? context.newId('payment')
    const head = { paymentId, ...versioned({ id: paymentId, contentHash, now }) }
    const scheduled = scheduledPayment(order, head, executionDate)
    const payment = quote ? exchangingPayment(scheduled, quote) : scheduled
    if (isLater) {
      return { result: payment, resourceId: paymentId, isKeyKept: true, ...created(payment) }
    }
    const taken = await take(context, payment)
    requireBooked(taken.booked)
    const told = created(taken.payment)
    return {
      result: taken.payment,
      resourceId: paymentId,
      isKeyKept: true,
      writes: [...told.writes, ...taken.booked.writes],
      events: [...told.events, ...taken.booked.events],
    }
  })
}

async function answerAgain(context: Context, existing: Payment, contentHash: string) {
  const resourceId = existing.paymentId
  const isMine = await mayAct(context, existing, [existing.partyId])
  if (isMine && existing.contentHash === contentHash) return { result: existing, resourceId }
  throw new Problem('RESOURCE_EXISTS', { resourceId })
}

/** Whether the caller may do with a payment what its payer may. */
function mayAct(
  context: Context,
  { debtorArrangementId }: Payment,
  owners: readonly string[],
): Promise<boolean> {
  return mayUse(context, owners, `arrangement/${debtorArrangementId}`, 'transfer')
}

const ownOnly = ({ caller }: Context, { partyId }: AccountFact) => maySee(caller, [partyId])

export function mayPayFrom(
  context: Context,
  { partyId, arrangementId }: AccountFact,
): Promise<boolean> {
  return mayUse(context, [partyId], `arrangement/${arrangementId}`, 'transfer')
}

/**
 * Who pays from another party's account pays today, so that what is revoked ends at once, and no
 * more in one transfer than one of their entitlements allows.
 */
async function requireWithin(context: Context, order: Order, isLater: boolean): Promise<void> {
  if (maySee(context.caller, [order.partyId])) return
  if (isLater) {
    throw new Problem('NOT_ENTITLED', { detail: 'From the account of another one pays today.' })
  }
  const { debtorArrangementId, amountMinor, currency } = order
  const grants = await grantsOf(context, 'transfer')
  const onIt = grants.filter(({ resource }) => resource === `arrangement/${debtorArrangementId}`)
  if (onIt.some((grant) => isWithin(grant, amountMinor, currency))) return
  throw refused('LIMIT_EXCEEDED', '/amount/amount')
}

/** The order of a transfer; between two currencies of one customer with the quote it is made at. */
async function readTransfer(
  context: Context,
  asked: TransferAsked,
  isLater: boolean,
): Promise<{ order: Order; quote: Quote | null }> {
  const { debtor, creditor } = await readAccounts(context, asked, mayPayFrom)
  const quote = await exchangeFor(context, asked, { debtor, creditor }, isLater)
  if (!quote) return { order: reachableOrder(context, asked, debtor, creditor), quote }
  // The order is in the currency that is sold; the quote has the other side.
  const { amountMinor, currency } = quote.sold
  const sold = { ...asked, amount: { amount: formatAmount(amountMinor, currency), currency } }
  return { order: orderOf(sold, debtor, creditor && { ...creditor, currency }), quote }
}

/**
 * The order that was asked for, with its accounts as they are published. A delegated user pays
 * from their own accounts. Rejects with ARRANGEMENT_NOT_FOUND, as `orderOf`, and with RAIL_NOT_CONFIGURED
 * a destination that only a rail reaches which the environment does not have.
 */
export async function readOrder(context: Context, asked: OrderAsked): Promise<Order> {
  const { debtor, creditor } = await readAccounts(context, asked, ownOnly)
  return reachableOrder(context, asked, debtor, creditor)
}

/** An order whose destination the environment can reach. Rejects as `orderOf`, and with RAIL_NOT_CONFIGURED. */
function reachableOrder(
  { bank }: Context,
  asked: OrderAsked,
  debtor: AccountFact,
  creditor: AccountFact | null,
): Order {
  const order = orderOf(asked, debtor, creditor)
  if (railOf(order.rail).isSimulated) requireOtherBanks(bank, '/creditorIban')
  return order
}

/** The accounts of an order as they are published. Rejects with ARRANGEMENT_NOT_FOUND, PARTY_DECEASED. */
export async function readAccounts(
  context: Context,
  { debtorArrangementId, creditorArrangementId, creditorIban }: OrderAsked,
  mayPay: (context: Context, debtor: AccountFact) => boolean | Promise<boolean>,
): Promise<{ debtor: AccountFact; creditor: AccountFact | null }> {
  const [debtor, byId, byNumber] = (await readFacts(context, [
    `arrangement/${debtorArrangementId}`,
    `arrangement/${creditorArrangementId}`,
    accountNumber(creditorIban ?? ''),
  ])) as (AccountFact | null)[]
  if (!debtor || !(await mayPay(context, debtor))) {
    const pointer = '/debtorArrangementId'
    throw missingReference('ARRANGEMENT_NOT_FOUND', debtorArrangementId, pointer)
  }
  await requireEstateRight(context, debtor, '/debtorArrangementId')
  return { debtor, creditor: (creditorIban ? byNumber : byId) ?? null }
}

/** The subject under which the owner of an account number is published. */
export function accountNumber(iban: string): string {
  return `account-number/${ibanFrom(iban)}`
}

/**
 * Gives a payment up that was not sent: before its day, or before the cut-off of its rail.
 * Refuses with PAYMENT_NOT_FOUND, NOT_ENTITLED, INVALID_STATE_TRANSITION.
 */
export function cancelPayment(context: Context, paymentId: string): Promise<Payment> {
  return command(context, 'cancelPayment', { paymentId }, async () => {
    const found = await paymentKind.find(context, paymentId)
    const before = found && (await mayAct(context, found, ownersOf(found))) ? found : null
    if (!before) throw new Problem('PAYMENT_NOT_FOUND', { resourceId: paymentId })
    const now = context.now()
    const step = cancel(before, now)
    const booked = await bookStep(context, step)
    requireBooked(booked)
    const { payment, writes, events } = moved(before, step.payment, now)
    return {
      result: payment,
      resourceId: paymentId,
      writes: [...writes, ...booked.writes],
      events: [...events, ...booked.events],
    }
  })
}
