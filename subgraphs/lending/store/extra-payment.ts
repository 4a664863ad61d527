import type { Prisma } from '../../../prisma/client/client.ts'
import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import type { ExtraPaymentRequest } from '../domain/extra-payment-request.ts'
import { ownersOf } from '../domain/facility.ts'
import type { ExtraPaymentEvent } from '../relief-events.ts'

/** An extra payment whose parts are written down. */
type Stored = Omit<ExtraPaymentRequest, 'allocations' | 'extraPayment' | 'effect'> & {
  allocations: string
  extraPayment: string | null
  effect: string | null
}

const table = tableOf<Stored, Prisma.ExtraPaymentGetPayload<object>>(
  'lending.extra_payment',
  'extraPaymentId',
  ({ db }) => db.extraPayment,
  (row) => ({
    ...row,
    state: row.state as ExtraPaymentRequest['state'],
    strategy: row.strategy as ExtraPaymentRequest['strategy'],
    paymentDate: dateOf(row.paymentDate),
  }),
)

const storedOf = (payment: ExtraPaymentRequest): Stored => ({
  ...payment,
  allocations: encodeAnswer(payment.allocations),
  extraPayment: payment.extraPayment && encodeAnswer(payment.extraPayment),
  effect: payment.effect && encodeAnswer(payment.effect),
})

const paymentFrom = (stored: Stored): ExtraPaymentRequest => ({
  ...stored,
  allocations: decodeAnswer(stored.allocations) as ExtraPaymentRequest['allocations'],
  extraPayment: stored.extraPayment
    ? (decodeAnswer(stored.extraPayment) as ExtraPaymentRequest['extraPayment'])
    : null,
  effect: stored.effect ? (decodeAnswer(stored.effect) as ExtraPaymentRequest['effect']) : null,
})

export const extraPaymentKind: Kind<ExtraPaymentRequest, ExtraPaymentEvent> = {
  entity: 'extra-payment',
  id: 'extraPayment',
  notFound: 'EXTRA_PAYMENT_NOT_FOUND',
  created: 'lending.extra-payment.requested',
  idOf: ({ extraPaymentId }) => extraPaymentId,
  ownersOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && paymentFrom(stored)
  },
  insert: (payment) => table.insert(storedOf(payment)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: (payment) => ({
    extraPaymentId: payment.extraPaymentId,
    facilityId: payment.facilityId,
    state: payment.state,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    paymentDate: payment.paymentDate,
    strategy: payment.strategy,
    feeMinor: payment.feeMinor,
    scheduleVersion: payment.scheduleVersion,
    reasonCode: payment.reasonCode,
  }),
  isPublished: false,
}

/** Extra payments by id, each only if it is the caller's to see. */
export const loadExtraPayment = loader<string, ExtraPaymentRequest>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? paymentFrom(stored) : null,
  )
})

/** The extra payments of a facility in the order they were asked for. */
export async function listExtraPayments(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<ExtraPaymentRequest[]> {
  return (await table.list(context, { facilityId }, after, take)).map(paymentFrom)
}

/** Requested payments from accounts of the bank whose day has come, the oldest first. */
export async function findDueExtraPayments(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<string[]> {
  const due = await table.findMany(context, {
    where: {
      state: 'requested',
      sourceArrangementId: { not: null },
      paymentDate: { lte: new Date(today) },
    },
    orderBy: [{ paymentDate: 'asc' }, { extraPaymentId: 'asc' }],
    take,
  })
  return due.map(({ extraPaymentId }) => extraPaymentId)
}

/** The principal that was prepaid after a day, in minor units. */
export async function prepaidSince(
  { db }: Context,
  facilityId: string,
  after: LocalDate,
): Promise<bigint> {
  const { _sum } = await db.extraPayment.aggregate({
    where: { facilityId, state: 'applied', paymentDate: { gt: new Date(after) } },
    _sum: { extraPrincipalMinor: true },
  })
  return _sum.extraPrincipalMinor ?? 0n
}
