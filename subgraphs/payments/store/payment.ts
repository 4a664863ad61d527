import { bankDateSql, isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { accountsHeld, idsGranted } from '../../../kernel/authorization/entitlements.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { viewersOf, type Payment } from '../domain/payment.ts'
import type { RailBatch } from '../domain/rail-batch.ts'
import type { BatchEvent, PaymentEvent } from '../events.ts'

export const paymentTable = tableOf<Payment, Prisma.PaymentGetPayload<object>>(
  'payments.payment',
  'paymentId',
  ({ db }) => db.payment,
  (row) => ({
    ...row,
    direction: row.direction as Payment['direction'],
    state: row.state as Payment['state'],
    executionDate: dateOf(row.executionDate),
    exchange: row.exchange as unknown as Payment['exchange'],
    signing: row.signing as unknown as Payment['signing'],
  }),
)

export const paymentKind: RecordKind<Payment, PaymentEvent> = {
  ...paymentTable,
  entity: 'payment',
  id: 'payment',
  notFound: 'PAYMENT_NOT_FOUND',
  created: 'payments.payment.created',
  ownersOf: viewersOf,
  snapshot: ({ paymentId, direction, rail, state, ...payment }) => ({
    paymentId,
    direction,
    rail,
    state,
    debtorArrangementId: payment.debtorArrangementId,
    creditorArrangementId: payment.creditorArrangementId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    executionDate: payment.executionDate,
    standingOrderId: payment.standingOrderId,
    batchId: payment.batchId,
    reasonCode: payment.reasonCode,
    creditedMinor: payment.creditedMinor,
    creditedCurrency: payment.creditedCurrency,
  }),
  isPublished: false,
}

/**
 * Returns the write for a batch step of payments, which updates the state, the batch and the times.
 * The commit fails if one of the payments was changed since it was read.
 */
export function updatePayments(payments: readonly Payment[]): Write {
  const rows = payments.map((payment) => ({
    payment_id: payment.paymentId,
    version: payment.version - 1,
    state: payment.state,
    batch_id: payment.batchId,
    settled_at: payment.settledAt,
    due_at: payment.dueAt,
    updated_at: payment.updatedAt,
  }))
  return updateMany('payments.payment', 'payment_id', rows)
}

/**
 * Loads payments by ID. A payment is null if it does not exist or is not visible to the caller. A
 * delegated user sees the payments for which `viewersOf` returns their party, and the payments that
 * debit an account to which the party has an entitlement. A joint holder of an account also sees the
 * settled payments that credit it.
 */
export const loadPayment = loader<string, Payment>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => paymentTable.load(context, id)))
  const grantedIds = new Set<string | null>(await idsGranted(context, 'arrangement'))
  const heldIds = new Set<string | null>(await accountsHeld(context))
  return found.map((each) => {
    if (!each) return null
    const isVisible =
      maySee(context.caller, viewersOf(each)) ||
      grantedIds.has(each.debtorArrangementId) ||
      (each.state === 'settled' && heldIds.has(each.creditorArrangementId))
    return isVisible ? each : null
  })
})

/**
 * Returns the payments that wait for the signature of the caller, in the order in which they were
 * created. A caller that acts for no party gets all payments that wait for signatures.
 */
export async function listPaymentsToSign(
  context: Context,
  { arrangementId }: { arrangementId: string | null },
  after: string[] | null,
  take: number,
): Promise<Payment[]> {
  const { partyId } = context.caller
  const waiting = {
    state: 'pending-signatures',
    signaturesExpireAt: { gt: context.now() },
    ...(arrangementId !== null && { debtorArrangementId: arrangementId }),
  }
  if (partyId === null) return paymentTable.list(context, waiting, after, take)
  const grantedIds = await idsGranted(context, 'arrangement', 'transfer')
  const isVisible = { OR: [{ partyId }, { debtorArrangementId: { in: grantedIds } }] }
  const isSignatory = { signing: { path: ['signatoryPartyIds'], array_contains: [partyId] } }
  const signature = [{ partyId }]
  const hasSigned = { signing: { path: ['signatures'], array_contains: signature } }
  const conditions = [waiting, isVisible, isSignatory, { NOT: hasSigned }]
  return paymentTable.list(context, { AND: conditions }, after, take)
}

/** Whether there are payments that did not get their signatures in time. */
export const areSignaturesExpiredSql = isAnyDueSql(
  'payments.payment',
  'signatures_expire_at',
  "state = 'pending-signatures' and signatures_expire_at <= $1::timestamptz",
)

/** Returns the payments that did not get their signatures in time, oldest first. */
export function findExpiredSignatures(
  context: Context,
  now: Date,
  take: number,
): Promise<Payment[]> {
  return paymentTable.findMany(context, {
    where: { state: 'pending-signatures', signaturesExpireAt: { lte: now } },
    orderBy: [{ signaturesExpireAt: 'asc' }, { paymentId: 'asc' }],
    take,
  })
}

const dateColumn = (date: LocalDate) => new Date(`${date}T00:00:00Z`)

/** Whether there are scheduled payments to execute. */
export const arePaymentsDueSql = isAnyDueSql(
  'payments.payment',
  'execution_date',
  `state = 'scheduled' and execution_date <= ${bankDateSql}`,
)

/** Returns the scheduled payments that are due, oldest first. */
export function findDuePayments(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Payment[]> {
  return paymentTable.findMany(context, {
    where: { state: 'scheduled', executionDate: { lte: dateColumn(today) } },
    orderBy: [{ executionDate: 'asc' }, { paymentId: 'asc' }],
    take,
  })
}

/** Returns a rail's accepted payments, in one currency, of the earliest cut-off that has passed. */
export async function findPastCutOff(
  context: Context,
  rail: string,
  now: Date,
  take: number,
): Promise<Payment[]> {
  const found = await paymentTable.findMany(context, {
    where: { rail, state: 'accepted', cutOffAt: { lte: now } },
    orderBy: [{ cutOffAt: 'asc' }, { paymentId: 'asc' }],
    take,
  })
  const [first] = found
  return found.filter(
    ({ cutOffAt, currency }) =>
      cutOffAt!.getTime() === first!.cutOffAt!.getTime() && currency === first!.currency,
  )
}

/** Returns a rail's settled payments whose return is due, oldest first. */
export function findDueReturns(
  context: Context,
  rail: string,
  now: Date,
  take: number,
): Promise<Payment[]> {
  return paymentTable.findMany(context, {
    where: { rail, state: 'settled', dueAt: { lte: now } },
    orderBy: [{ dueAt: 'asc' }, { paymentId: 'asc' }],
    take,
  })
}

export function findPaymentsOfBatch(context: Context, batchId: string): Promise<Payment[]> {
  return paymentTable.findMany(context, { where: { batchId }, orderBy: { paymentId: 'asc' } })
}

const batchTable = tableOf<RailBatch, Prisma.RailBatchGetPayload<object>>(
  'payments.rail_batch',
  'batchId',
  ({ db }) => db.railBatch,
  (row) => ({
    ...row,
    state: row.state as RailBatch['state'],
  }),
)

export const batchKind: RecordKind<RailBatch, BatchEvent> = {
  ...batchTable,
  entity: 'rail-batch',
  id: 'railBatch',
  notFound: 'PAYMENT_NOT_FOUND',
  created: 'payments.rail-batch.sent',
  ownersOf: () => [],
  snapshot: ({ batchId, rail, state, payments, totalMinor, currency, cutOffAt, settlesAt }) => ({
    batchId,
    rail,
    state,
    payments,
    totalMinor,
    currency,
    cutOffAt,
    settlesAt,
  }),
  isPublished: false,
}

/** Returns a rail's batches whose next state transition is due, oldest first. */
export function findDueBatches(
  context: Context,
  rail: string,
  now: Date,
  take: number,
): Promise<RailBatch[]> {
  return batchTable.findMany(context, {
    where: { rail, dueAt: { lte: now } },
    orderBy: [{ dueAt: 'asc' }, { batchId: 'asc' }],
    take,
  })
}
