import type { Prisma } from '../../../../prisma/client/client.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { addDays, dateOf } from '../../../../kernel/domain/dates.ts'
import { inOrder, loader, type Context } from '../../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import { isServiced, ownersOf, statesWhere } from '../../domain/facilities/facility.ts'
import { revisionDays } from '../../domain/promises/promise-to-pay.ts'
import type { PromiseToPay } from '../../model/promises/promise-to-pay.ts'
import type { PromiseToPayEvent } from '../../promise-events.ts'

const table = tableOf<PromiseToPay, Prisma.PromiseToPayGetPayload<object>>(
  'lending.promise_to_pay',
  'promiseToPayId',
  ({ db }) => db.promiseToPay,
  (row) => ({
    ...row,
    status: row.status as PromiseToPay['status'],
    madeOn: dateOf(row.madeOn),
    payBy: dateOf(row.payBy),
  }),
)

export const promiseToPaySortKey = table.sortKey

export const promiseToPayKind: RecordKind<PromiseToPay, PromiseToPayEvent> = {
  ...table,
  entity: 'promise-to-pay',
  id: 'promiseToPay',
  notFound: 'PROMISE_TO_PAY_NOT_FOUND',
  created: 'lending.promise-to-pay.made',
  ownersOf,
  snapshot: (promise) => ({
    promiseToPayId: promise.promiseToPayId,
    facilityId: promise.facilityId,
    status: promise.status,
    amountMinor: promise.amountMinor,
    currency: promise.currency,
    madeOn: promise.madeOn,
    payBy: promise.payBy,
  }),
  isPublished: false,
}

/**
 * Loads promises by ID. The result is null for a promise that does not exist or that the caller may
 * not see.
 */
export const loadPromiseToPay = loader<string, PromiseToPay>(async (context, ids) => {
  const found = await table.loadMany(context, ids)
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

export interface PromiseToPayFilter {
  facilityId: string | null
  status: PromiseToPay['status'] | null
}

/** Lists the promises that the caller may see, in the order in which they were recorded. */
export function listPromisesToPay(
  context: Context,
  { facilityId, status }: PromiseToPayFilter,
  after: string[] | null,
  take: number,
): Promise<PromiseToPay[]> {
  const where = { partyId: context.caller.partyId, facilityId, status }
  return table.list(context, where, after, take)
}

/** Loads the open promise of each facility, of which there is at most one; null if it is hidden. */
export const loadOpenPromise = loader<string, PromiseToPay>(async (context, facilityIds) => {
  const where = { facilityId: { in: [...facilityIds] }, status: 'open' }
  const found = await table.findMany(context, { where })
  const visible = found.filter((each) => maySee(context.caller, ownersOf(each)))
  return inOrder(facilityIds, visible, ({ facilityId }) => facilityId)
})

const paymentsSql = (table: string) => `select amount_minor from lending.${table} as payment
      where payment.facility_id = p.facility_id and payment.state = 'applied'
        and payment.created_at >= p.created_at
        and payment.payment_date between p.made_on and p.pay_by`

/** What was paid toward the promise `p` since it was recorded, less what was reversed. */
const receivedSql = `(select coalesce(sum(amount_minor), 0)::bigint
    from (${paymentsSql('repayment')} union all ${paymentsSql('extra_payment')}) as received)`

const servicedStates = statesWhere(isServiced)
  .map((state) => `'${state}'`)
  .join(', ')
const isOverSql = `(p.pay_by <= f.closed_through
    or p.pay_by < $2::date and f.state not in (${servicedStates}))`

const progressSql = `
  select p.promise_to_pay_id as "promiseToPayId", p.status, p.amount_minor as "amountMinor",
    ${receivedSql} as "receivedMinor", ${isOverSql} as "isOver"
  from lending.promise_to_pay p join lending.facility f using (facility_id)`

const byIdSql = `${progressSql} where p.promise_to_pay_id = any($1)`
const staleSql = `
  select * from (${progressSql} where p.status = 'open'
    or p.status in ('kept', 'broken') and p.pay_by >= $3::date) as progress
  where case when "receivedMinor" >= "amountMinor" then status <> 'kept'
    else status = 'kept' or status = 'open' and "isOver" end
  order by "promiseToPayId" limit $1`

/** What was paid toward a promise, and whether its last day is closed. */
export interface PromiseProgress extends Pick<
  PromiseToPay,
  'promiseToPayId' | 'status' | 'amountMinor'
> {
  receivedMinor: bigint
  isOver: boolean
}

/** Loads the progress of promises, without checking the caller's permissions. */
export const loadProgress = loader<string, PromiseProgress>(async (context, ids) => {
  const today = dateOf(context.now())
  const rows = await context.bank.db.$queryRawUnsafe<PromiseProgress[]>(byIdSql, [...ids], today)
  return inOrder(ids, rows, ({ promiseToPayId }) => promiseToPayId)
})

/** Finds promises whose status no longer fits the payments and the closed days. */
export function findStalePromises(context: Context, take: number): Promise<PromiseProgress[]> {
  const today = dateOf(context.now())
  const since = addDays(today, -revisionDays)
  return context.bank.db.$queryRawUnsafe<PromiseProgress[]>(staleSql, take, today, since)
}
