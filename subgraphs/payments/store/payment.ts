import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { idsGranted } from '../../_kernel/entitlements.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { updateMany, type Write } from '../../_kernel/writes.ts'
import { ownersOf, type Payment } from '../domain/payment.ts'
import type { RailBatch } from '../domain/sct.ts'
import type { BatchEvent, PaymentEvent } from '../events.ts'

const paymentTable = tableOf<Payment, Prisma.PaymentGetPayload<object>>(
  'payments.payment',
  'paymentId',
  ({ db }) => db.payment,
  (row) => ({
    ...row,
    direction: row.direction as Payment['direction'],
    rail: row.rail as Payment['rail'],
    state: row.state as Payment['state'],
    executionDate: dateOf(row.executionDate),
    exchange: row.exchange as unknown as Payment['exchange'],
  }),
)

export const paymentKind: Kind<Payment, PaymentEvent> = {
  ...paymentTable,
  entity: 'payment',
  id: 'payment',
  notFound: 'PAYMENT_NOT_FOUND',
  created: 'payments.payment.created',
  ownersOf,
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

/** Writes the next step of payments that moved together; each was decided on the version before its own. */
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

/** Payments by id, each only if it is the caller's to see, or leaves an account they are entitled to see. */
export const loadPayment = loader<string, Payment>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => paymentTable.load(context, id)))
  const granted = new Set<string | null>(await idsGranted(context, 'arrangement'))
  return found.map((each) => {
    if (!each) return null
    const isSeen = maySee(context.caller, ownersOf(each)) || granted.has(each.debtorArrangementId)
    return isSeen ? each : null
  })
})

export interface PaymentFilter {
  arrangementId: string | null
  standingOrderId: string | null
  state: Payment['state'] | null
}

/** Payments in the order they were created, as far as they are the caller's to see. */
export async function listPayments(
  context: Context,
  { arrangementId, standingOrderId, state }: PaymentFilter,
  after: string[] | null,
  take: number,
): Promise<Payment[]> {
  const { partyId } = context.caller
  const ofAccount = [
    { debtorArrangementId: arrangementId },
    { creditorArrangementId: arrangementId },
  ]
  const granted = await idsGranted(context, 'arrangement')
  const ofCaller = [
    { partyId },
    { creditorPartyId: partyId, state: 'settled' },
    { debtorArrangementId: { in: granted } },
  ]
  const conditions = [
    ...(arrangementId === null ? [] : [{ OR: ofAccount }]),
    ...(partyId === null ? [] : [{ OR: ofCaller }]),
    ...(standingOrderId === null ? [] : [{ standingOrderId }]),
    ...(state === null ? [] : [{ state }]),
  ]
  // The place in the order is a condition of its own, so that it never takes another's `OR`.
  return paymentTable.list(context, { AND: conditions }, after, take)
}

const dateColumn = (date: LocalDate) => new Date(`${date}T00:00:00Z`)

/** Scheduled payments whose day has come, the oldest first. */
export function findDue(context: Context, today: LocalDate, take: number): Promise<Payment[]> {
  return paymentTable.findMany(context, {
    where: { state: 'scheduled', executionDate: { lte: dateColumn(today) } },
    orderBy: [{ executionDate: 'asc' }, { paymentId: 'asc' }],
    take,
  })
}

/** Accepted payments of the earliest cut-off that is over. */
export async function findPastCutOff(
  context: Context,
  now: Date,
  take: number,
): Promise<Payment[]> {
  const found = await paymentTable.findMany(context, {
    where: { state: 'accepted', cutOffAt: { lte: now } },
    orderBy: [{ cutOffAt: 'asc' }, { paymentId: 'asc' }],
    take,
  })
  const [first] = found
  return found.filter(
    ({ cutOffAt, currency }) =>
      cutOffAt!.getTime() === first!.cutOffAt!.getTime() && currency === first!.currency,
  )
}

/** Payments that the simulated outside sends back now. */
export function findReturning(context: Context, now: Date, take: number): Promise<Payment[]> {
  return paymentTable.findMany(context, {
    where: { state: 'settled', dueAt: { lte: now } },
    orderBy: [{ dueAt: 'asc' }, { paymentId: 'asc' }],
    take,
  })
}

export function findOfBatch(context: Context, batchId: string): Promise<Payment[]> {
  return paymentTable.findMany(context, { where: { batchId }, orderBy: { paymentId: 'asc' } })
}

/** Payments out over a rail that leaves the bank, of a currency, that the nostro has not paid yet. */
export function findOnTheirWay(context: Context, currency: string): Promise<Payment[]> {
  const state = { in: ['scheduled', 'accepted', 'submitted', 'acknowledged'] }
  return paymentTable.findMany(context, {
    where: { currency, state, direction: 'out', rail: { not: 'internal' } },
  })
}

const batchTable = tableOf<RailBatch, Prisma.RailBatchGetPayload<object>>(
  'payments.rail_batch',
  'batchId',
  ({ db }) => db.railBatch,
  (row) => ({
    ...row,
    rail: row.rail as RailBatch['rail'],
    state: row.state as RailBatch['state'],
  }),
)

export const batchKind: Kind<RailBatch, BatchEvent> = {
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

/** Batches to which something happens now, the oldest first. */
export function findDueBatches(context: Context, now: Date, take: number): Promise<RailBatch[]> {
  return batchTable.findMany(context, {
    where: { dueAt: { lte: now } },
    orderBy: [{ dueAt: 'asc' }, { batchId: 'asc' }],
    take,
  })
}
