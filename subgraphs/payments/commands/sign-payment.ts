import { mayUse } from '../../../kernel/authorization/entitlements.ts'
import { partiesThatMayPay } from '../../../kernel/authorization/signing.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  requireAlive,
  requireAliveForOthers,
  requireEstateRight,
} from '../../../kernel/lifecycle/deceased.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { transitionPayment, type Payment } from '../domain/payment.ts'
import { Problem } from '../domain/problems.ts'
import { addSignature, isSigned, requireSignatory } from '../domain/signing.ts'
import { paymentKind } from '../store/payment.ts'
import { executeOnRail, sharedEvents, signatureEvent, updateOf } from './booking.ts'
import { authenticatePayment } from './strong-authentication.ts'
import { requireWithinLimit } from './transfer.ts'

/**
 * Signs a payment that waits for signatures. The last required signature executes the payment in the
 * same commit, or schedules it for its execution date. If the ledger rejects the payment, it is not
 * signed and keeps waiting. Throws NOT_FOR_THE_BANK, PAYMENT_NOT_FOUND, NOT_ENTITLED,
 * LIMIT_EXCEEDED, PARTY_DECEASED, APPROVAL_REQUIRED, INVALID_STATE_TRANSITION, NOT_A_SIGNATORY,
 * SIGNATURES_EXPIRED, ALREADY_SIGNED, and for the last signature the code with which the ledger
 * rejects the payment, such as INSUFFICIENT_FUNDS.
 */
export function signPayment(context: Context, paymentId: string): Promise<Payment> {
  return command(context, 'signPayment', { paymentId }, async () => {
    const { before, signatoryId } = await readForSignatory(context, paymentId)
    const now = context.now()
    const signed = addSignature(before, signatoryId, now)
    const account = accountOf(before)
    await requireAlive(context, signatoryId, '')
    await requireEstateRight(context, account, '/paymentId')
    await requireWithinLimit(context, account, before)
    const order = { ...before, debtorArrangementId: account.arrangementId }
    const lines = [['Signature for', paymentId] as const]
    const authenticated = await authenticatePayment(context, order, { action: 'Signature', lines })
    const signatories = signed.signing!.signatures.map(({ partyId }) => partyId)
    const entitled = await partiesThatMayPay(context, account, signatories)
    const completion = isSigned(signed.signing!, entitled)
      ? await complete(context, signed)
      : { payment: signed, writes: [], events: [] }
    const { payment, writes, events } = updateOf(before, completion.payment, now)
    const signature = signatureEvent(payment, 'payments.payment.signed', signatoryId)
    const shared = await sharedEvents(context, payment, [signature, ...events])
    return {
      result: payment,
      resourceId: paymentId,
      retainsKey: true,
      writes: [...writes, ...completion.writes, ...authenticated],
      events: [...shared, ...completion.events],
    }
  })
}

/** Hands a signed payment to its rail, or schedules it if its execution date is later than today. */
async function complete(context: Context, signed: Payment) {
  const today = dateOf(context.now())
  if (signed.executionDate > today) {
    return { payment: transitionPayment(signed, 'scheduled'), writes: [], events: [] }
  }
  const { payment, booked } = await executeOnRail(context, { ...signed, executionDate: today })
  requireBooked(booked)
  return { payment, writes: booked.writes, events: booked.events }
}

/**
 * Declines a payment that waits for signatures, which rejects it. The decline of one signatory is
 * enough. Throws NOT_FOR_THE_BANK, PAYMENT_NOT_FOUND, NOT_ENTITLED, PARTY_DECEASED,
 * INVALID_STATE_TRANSITION, NOT_A_SIGNATORY, SIGNATURES_EXPIRED.
 */
export function declinePayment(context: Context, paymentId: string): Promise<Payment> {
  return command(context, 'declinePayment', { paymentId }, async () => {
    const { before, signatoryId } = await readForSignatory(context, paymentId)
    requireSignatory(before, signatoryId, context.now())
    await requireAliveForOthers(context, before.partyId)
    return await rejection(context, before, 'SIGNATURE_DECLINED', signatoryId)
  })
}

/** Rejects a payment that did not get its signatures in time. Returns how many payments that were. */
export function expireSignatures(context: Context, paymentId: string): Promise<number> {
  return command<number>(context, 'expireSignatures', { paymentId }, async () => {
    const before = await paymentKind.find(context, paymentId)
    const isDue =
      before?.state === 'pending-signatures' && before.signaturesExpireAt! <= context.now()
    if (!isDue) return { result: 0 }
    return { ...(await rejection(context, before, 'SIGNATURES_EXPIRED', null)), result: 1 }
  })
}

async function rejection(
  context: Context,
  before: Payment,
  reasonCode: 'SIGNATURE_DECLINED' | 'SIGNATURES_EXPIRED',
  signatoryId: string | null,
): Promise<Decision<Payment>> {
  const rejected = transitionPayment(before, 'rejected', { reasonCode })
  const { payment, writes, events } = updateOf(before, rejected, context.now())
  const type =
    reasonCode === 'SIGNATURE_DECLINED'
      ? 'payments.payment.declined'
      : 'payments.payment.signatures-expired'
  return {
    result: payment,
    resourceId: payment.paymentId,
    writes,
    events: await sharedEvents(context, payment, [
      signatureEvent(payment, type, signatoryId),
      ...events,
    ]),
  }
}

/**
 * Reads a payment for a customer who wants to sign or decline it. Throws NOT_FOR_THE_BANK,
 * PAYMENT_NOT_FOUND and NOT_ENTITLED.
 */
async function readForSignatory(context: Context, paymentId: string) {
  const { partyId: signatoryId } = context.caller
  if (signatoryId === null) throw new Problem('NOT_FOR_THE_BANK')
  const before = await paymentKind.find(context, paymentId)
  const resource = `arrangement/${before?.debtorArrangementId}`
  const isAllowed = before && (await mayUse(context, [before.partyId], resource, 'transfer'))
  // The owner of the debtor account of an incoming payment is unknown.
  if (!isAllowed || before.debtorArrangementId === null) {
    throw new Problem('PAYMENT_NOT_FOUND', { resourceId: paymentId })
  }
  return { before, signatoryId }
}

function accountOf({ partyId, debtorArrangementId }: Payment) {
  return { partyId, arrangementId: debtorArrangementId! }
}
