import { bankDateSql, isAnyDueSql } from '../../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../../prisma/client/client.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import type { ExtraPaymentRequest } from '../../domain/repayments/extra-payment-request.ts'
import { ownersOf } from '../../domain/facilities/facility.ts'
import type { ExtraPaymentEvent } from '../../relief-events.ts'

/** An extra payment with its JSON columns still encoded. */
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
  allocations: encodeResponse(payment.allocations),
  extraPayment: payment.extraPayment && encodeResponse(payment.extraPayment),
  effect: payment.effect && encodeResponse(payment.effect),
})

const paymentFrom = (stored: Stored): ExtraPaymentRequest => ({
  ...stored,
  allocations: decodeResponse(stored.allocations) as ExtraPaymentRequest['allocations'],
  extraPayment: stored.extraPayment
    ? (decodeResponse(stored.extraPayment) as ExtraPaymentRequest['extraPayment'])
    : null,
  effect: stored.effect ? (decodeResponse(stored.effect) as ExtraPaymentRequest['effect']) : null,
})

export const extraPaymentKind: RecordKind<ExtraPaymentRequest, ExtraPaymentEvent> = {
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

/**
 * Loads extra payments by ID. The result is null for an extra payment that does not exist or that
 * the caller may not see.
 */
export const loadExtraPayment = loader<string, ExtraPaymentRequest>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? paymentFrom(stored) : null,
  )
})

/** Lists the extra payments of a facility in the order in which they were requested. */
export async function listExtraPayments(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<ExtraPaymentRequest[]> {
  return (
    await table.list(context, { partyId: context.caller.partyId, facilityId }, after, take)
  ).map(paymentFrom)
}

/** Whether there are extra payments to book. */
export const areExtraPaymentsDueSql = isAnyDueSql(
  'lending.extra_payment',
  'payment_date',
  `state = 'requested' and source_arrangement_id is not null and payment_date <= ${bankDateSql}`,
)

/**
 * Returns the IDs of requested extra payments that debit an account at this bank and whose payment
 * dates have been reached, earliest payment date first.
 */
export async function findDueExtraPaymentIds(
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

/**
 * Returns the principal, in minor units, that a facility prepaid through extra payments with
 * payment dates later than `after`. Only payments in the state `applied` count.
 */
export async function readPrincipalPrepaidAfter(
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
