import type { OrderRequest } from '../model/payment-inputs.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  requireAliveForOthers,
  requireCallerAlive,
  requireEstateRight,
} from '../../../kernel/lifecycle/deceased.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { isWithinLimit } from '../../../kernel/domain/entitlement.ts'
import { formatAmount, type Money } from '../../../kernel/domain/money.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { authenticatePayment } from './strong-authentication.ts'
import { grantsOf, mayUse } from '../../../kernel/authorization/entitlements.ts'
import { readSigningRule, requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { requireOtherBanks } from '../../../kernel/environment/other-banks.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import { exchangeFor } from './customer-exchange.ts'
import { bookStep, creationOf, executeOnRail, sharedEvents, updateOf } from './booking.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { executionDateOf, ibanFrom, orderOf, problemAt, type AccountFact } from '../domain/order.ts'
import {
  withExchange,
  scheduledPayment,
  viewersOf,
  type Order,
  type Payment,
  type Signing,
} from '../domain/payment.ts'
import type { Quote } from '../domain/customer-exchange.ts'
import { cancel } from '../domain/rail.ts'
import { pendingSignatures, signingFor } from '../domain/signing.ts'
import { railOf, rails } from '../rails/registry.ts'
import { paymentKind } from '../store/payment.ts'

export interface TransferRequest extends OrderRequest {
  paymentId?: string | null
  executionDate?: LocalDate | null
  /** The ID of the quoted rate. If it is null or absent, the rate in force applies. */
  exchangeRateId?: string | null
}

/**
 * Creates a payment. A payment for today is handed to its rail in the same commit, unless the signing
 * rule of the account requires further signatures. A repeated request with the same ID and content
 * returns the existing payment. Throws:
 * - RESOURCE_EXISTS, EXECUTION_DATE_OUT_OF_RANGE and whatever `readOrder` throws,
 * - NOT_ENTITLED and LIMIT_EXCEEDED for a transfer from another party's account, and PARTY_DECEASED
 *   if the caller's party is deceased,
 * - APPROVAL_REQUIRED if the customer must approve the payment,
 * - SIGNATURES_REQUIRED for an exchange that the caller may not order alone,
 * - whatever `exchangeFor` throws for an exchange between two currencies,
 * - for a payment today, the code with which the ledger rejects it, such as INSUFFICIENT_FUNDS.
 */
export function createTransfer(context: Context, request: TransferRequest): Promise<Payment> {
  return command(context, 'createTransfer', request, async () => {
    const contentHash = fingerprint('createTransfer', request)
    const existing = request.paymentId ? await paymentKind.find(context, request.paymentId) : null
    if (existing) return await existingResult(context, existing, contentHash)
    const now = context.now()
    const executionDate = executionDateOf(request.executionDate, now)
    const isAfterToday = executionDate > dateOf(now)
    const { order, quote } = await readTransfer(context, request, isAfterToday)
    await requireWithinEntitlement(context, order, isAfterToday)
    const signing = await readSigning(context, order, quote, now)
    const lines = isAfterToday ? [['On', executionDate] as const] : []
    const authenticated = await authenticatePayment(context, order, { action: 'Payment', lines })
    const paymentId = request.paymentId ?? context.newId('payment')
    const identity = { paymentId, ...versioned({ id: paymentId, contentHash, now }) }
    const scheduled = scheduledPayment(order, identity, executionDate)
    const ordered = quote ? withExchange(scheduled, quote) : scheduled
    const payment = signing ? pendingSignatures(ordered, signing, now) : ordered
    if (isAfterToday || signing) {
      await requireCallerAlive(context, order.partyId, '/debtorArrangementId')
      const { writes, events } = creationOf(payment)
      return {
        result: payment,
        resourceId: paymentId,
        retainsKey: true,
        writes: [...writes, ...authenticated],
        events: await sharedEvents(context, payment, events),
      }
    }
    const execution = await executeOnRail(context, payment)
    requireBooked(execution.booked)
    const creation = creationOf(execution.payment)
    const shared = await sharedEvents(context, execution.payment, creation.events)
    return {
      result: execution.payment,
      resourceId: paymentId,
      retainsKey: true,
      writes: [...creation.writes, ...execution.booked.writes, ...authenticated],
      events: [...shared, ...execution.booked.events],
    }
  })
}

async function existingResult(context: Context, existing: Payment, contentHash: string) {
  const resourceId = existing.paymentId
  const isAllowed = await mayActAsDebtor(context, existing, [existing.partyId])
  if (isAllowed && existing.contentHash === contentHash) return { result: existing, resourceId }
  throw new Problem('RESOURCE_EXISTS', { resourceId })
}

/** Whether the caller is one of the owners or is entitled to pay from the debtor account. */
function mayActAsDebtor(
  context: Context,
  { debtorArrangementId }: Payment,
  owners: readonly string[],
): Promise<boolean> {
  return mayUse(context, owners, `arrangement/${debtorArrangementId}`, 'transfer')
}

const isOwnAccount = ({ caller }: Context, { partyId }: AccountFact) => maySee(caller, [partyId])

export function mayPayFrom(
  context: Context,
  { partyId, arrangementId }: AccountFact,
): Promise<boolean> {
  return mayUse(context, [partyId], `arrangement/${arrangementId}`, 'transfer')
}

/**
 * Limits a transfer from another party's account. The transfer must be executed today, so that
 * revoking an entitlement takes effect at once. Its amount must be within the limit of a single
 * entitlement. Throws PARTY_DECEASED, NOT_ENTITLED, LIMIT_EXCEEDED.
 */
async function requireWithinEntitlement(
  context: Context,
  order: Order,
  isAfterToday: boolean,
): Promise<void> {
  if (maySee(context.caller, [order.partyId])) return
  await requireAliveForOthers(context, order.partyId)
  if (isAfterToday) {
    throw new Problem('NOT_ENTITLED', {
      detail: "A transfer from another party's account can only be executed today.",
    })
  }
  const arrangementId = order.debtorArrangementId
  await requireWithinLimit(context, { partyId: order.partyId, arrangementId }, order)
}

/**
 * Checks that a payment from another party's account is within the limit of an entitlement of the
 * caller. Throws LIMIT_EXCEEDED.
 */
export async function requireWithinLimit(
  context: Context,
  { partyId, arrangementId }: { partyId: string; arrangementId: string },
  { amountMinor, currency }: Money,
): Promise<void> {
  if (maySee(context.caller, [partyId])) return
  const grants = await grantsOf(context, 'transfer')
  const grantsOnAccount = grants.filter(
    ({ resource }) => resource === `arrangement/${arrangementId}`,
  )
  if (grantsOnAccount.some((grant) => isWithinLimit(grant, amountMinor, currency))) return
  throw problemAt('LIMIT_EXCEEDED', '/amount/amount')
}

/**
 * Returns the signatures for which a payment of a customer has to wait; null if it has to wait for
 * none. An exchange cannot wait, because it is made at the rate in force. Throws
 * SIGNATURES_REQUIRED.
 */
async function readSigning(
  context: Context,
  { debtorArrangementId, amountMinor }: Order,
  quote: Quote | null,
  now: Date,
): Promise<Signing | null> {
  if (quote) {
    await requireSoleSignature(context, debtorArrangementId, amountMinor, '/debtorArrangementId')
    return null
  }
  const rule = await readSigningRule(context, debtorArrangementId)
  return rule && signingFor(rule, amountMinor, context.caller.partyId!, now)
}

/**
 * Returns the order of a transfer, with a quote if both accounts belong to the same party but have
 * different currencies.
 */
async function readTransfer(
  context: Context,
  request: TransferRequest,
  isAfterToday: boolean,
): Promise<{ order: Order; quote: Quote | null }> {
  const { debtor, creditor } = await readAccounts(context, request, mayPayFrom)
  const quote = await exchangeFor(context, request, { debtor, creditor }, isAfterToday)
  if (!quote) return { order: orderOnAvailableRail(context, request, debtor, creditor), quote }
  // The order contains only the amount sold; the amount bought is added from the quote.
  const { amountMinor, currency } = quote.sold
  const soldAmount = { amount: formatAmount(amountMinor, currency), currency }
  const soldRequest = { ...request, amount: soldAmount }
  const order = orderOf(soldRequest, debtor, creditor && { ...creditor, currency }, rails)
  return { order, quote }
}

/**
 * Returns the requested order, with the published data of its accounts. A delegated user can order
 * payments only from accounts that their party owns. Throws ARRANGEMENT_NOT_FOUND, PARTY_DECEASED and whatever `orderOf`
 * throws. Throws RAIL_NOT_CONFIGURED if the creditor can be reached only over a rail that the
 * environment does not have.
 */
export async function readOrder(context: Context, request: OrderRequest): Promise<Order> {
  const { debtor, creditor } = await readAccounts(context, request, isOwnAccount)
  return orderOnAvailableRail(context, request, debtor, creditor)
}

/**
 * Returns the requested order if the environment has its rail. Throws RAIL_NOT_CONFIGURED and
 * whatever `orderOf` throws.
 */
function orderOnAvailableRail(
  { bank }: Context,
  request: OrderRequest,
  debtor: AccountFact,
  creditor: AccountFact | null,
): Order {
  const order = orderOf(request, debtor, creditor, rails)
  if (railOf(order.rail).isSimulated) requireOtherBanks(bank, '/creditorIban')
  return order
}

/**
 * Returns the published data of an order's accounts. `mayPay` decides whether the caller may debit
 * the debtor account. Throws ARRANGEMENT_NOT_FOUND, PARTY_DECEASED, and whatever `mayPay` throws.
 */
export async function readAccounts(
  context: Context,
  { debtorArrangementId, creditorArrangementId, creditorIban }: OrderRequest,
  mayPay: (context: Context, debtor: AccountFact) => boolean | Promise<boolean>,
): Promise<{ debtor: AccountFact; creditor: AccountFact | null }> {
  const [debtor, creditorById, creditorByIban] = (await readFacts(context, [
    `arrangement/${debtorArrangementId}`,
    `arrangement/${creditorArrangementId}`,
    accountNumberSubject(creditorIban ?? ''),
  ])) as (AccountFact | null)[]
  if (!debtor || !(await mayPay(context, debtor))) {
    const pointer = '/debtorArrangementId'
    throw missingReference('ARRANGEMENT_NOT_FOUND', debtorArrangementId, pointer)
  }
  await requireEstateRight(context, debtor, '/debtorArrangementId')
  return { debtor, creditor: (creditorIban ? creditorByIban : creditorById) ?? null }
}

/** Returns the subject under which the account with an IBAN is published. */
export function accountNumberSubject(iban: string): string {
  return `account-number/${ibanFrom(iban)}`
}

/**
 * Cancels a payment that has not been executed or, on a rail with cut-offs, has not been sent yet.
 * Throws PAYMENT_NOT_FOUND, NOT_ENTITLED, PARTY_DECEASED for a caller that acts for another party
 * and is deceased, INVALID_STATE_TRANSITION.
 */
export function cancelPayment(context: Context, paymentId: string): Promise<Payment> {
  return command(context, 'cancelPayment', { paymentId }, async () => {
    const found = await paymentKind.find(context, paymentId)
    const before = found && (await mayActAsDebtor(context, found, viewersOf(found))) ? found : null
    if (!before) throw new Problem('PAYMENT_NOT_FOUND', { resourceId: paymentId })
    await requireAliveForOthers(context, before.partyId)
    const now = context.now()
    const step = cancel(before, now)
    const booking = await bookStep(context, step)
    requireBooked(booking)
    const { payment, writes, events } = updateOf(before, step.payment, now)
    const shared = await sharedEvents(context, payment, events)
    return {
      result: payment,
      resourceId: paymentId,
      writes: [...writes, ...booking.writes],
      events: [...shared, ...booking.events],
    }
  })
}
