import type { Prisma } from '../../../../prisma/client/client.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import {
  receivedOnCalls,
  type GuarantorPayment,
  type ReceivedOnCalls,
} from '../../domain/obligors/guarantee-call.ts'
import { concernedBy } from '../../domain/obligors/obligor.ts'
import type { GuaranteeCall } from '../../model/obligors/guarantee-call.ts'
import type { GuaranteeCallEvent } from '../../obligor-events.ts'

const table = tableOf<GuaranteeCall, Prisma.GuaranteeCallGetPayload<object>>(
  'lending.guarantee_call',
  'guaranteeCallId',
  ({ db }) => db.guaranteeCall,
  (row) => ({
    ...row,
    status: row.status as GuaranteeCall['status'],
    dueOn: dateOf(row.dueOn),
  }),
)

export const guaranteeCallSortKey = table.sortKey

export const guaranteeCallKind: RecordKind<GuaranteeCall, GuaranteeCallEvent> = {
  ...table,
  entity: 'guarantee-call',
  id: 'guaranteeCall',
  notFound: 'GUARANTEE_CALL_NOT_FOUND',
  created: 'lending.guarantee-call.made',
  ownersOf: concernedBy,
  snapshot: (call) => ({
    guaranteeCallId: call.guaranteeCallId,
    obligorId: call.obligorId,
    facilityId: call.facilityId,
    partyId: call.partyId,
    status: call.status,
    amountMinor: call.amountMinor,
    currency: call.currency,
    dueOn: call.dueOn,
  }),
  isPublished: false,
}

/**
 * Loads calls of guarantees by ID. The result is null for a call that does not exist or that the
 * caller may not see.
 */
export const loadGuaranteeCall = loader<string, GuaranteeCall>(async (context, ids) => {
  const found = await table.loadMany(context, ids)
  return found.map((each) => (each && maySee(context.caller, concernedBy(each)) ? each : null))
})

/** Lists the calls of a guarantee in the order in which they were made. */
export function listGuaranteeCalls(
  context: Context,
  obligorId: string,
  after: string[] | null,
  take: number,
): Promise<GuaranteeCall[]> {
  return table.list(context, { obligorId }, after, take)
}

const paymentsSql = `
  select o.obligor_id as "obligorId", r.amount_minor as "amountMinor", r.created_at as "recordedAt"
  from lending.facility_obligor o
  join lending.repayment r on r.facility_id = o.facility_id and r.payer_party_id = o.party_id
  where o.obligor_id = any($1) and r.state = 'applied'
    and r.created_at < coalesce(o.ended_at, 'infinity')
  order by r.created_at, r.repayment_id`

/**
 * Loads what was received against the calls of guarantees, by the ID of the obligor, without checking
 * the caller's permissions. It is derived from the payments of the guarantor.
 */
export const loadReceived = loader<string, ReceivedOnCalls>(async (context, obligorIds) => {
  const ids = [...obligorIds]
  const { db } = context.bank
  const [calls, payments] = await Promise.all([
    table.findMany(
      { ...context, db },
      {
        where: { obligorId: { in: ids } },
        orderBy: [{ createdAt: 'asc' }, { guaranteeCallId: 'asc' }],
      },
    ),
    db.$queryRawUnsafe<(GuarantorPayment & { obligorId: string })[]>(paymentsSql, ids),
  ])
  return ids.map((id) => {
    const isOf = ({ obligorId }: { obligorId: string }) => obligorId === id
    return receivedOnCalls(calls.filter(isOf), payments.filter(isOf))
  })
})

/** Whether the guarantee of a call has another call that is open. */
export async function hasOtherOpenCall(
  { bank }: Context,
  { obligorId, guaranteeCallId }: GuaranteeCall,
): Promise<boolean> {
  const where = { obligorId, status: 'open', NOT: { guaranteeCallId } }
  return (await bank.db.guaranteeCall.findFirst({ where })) !== null
}

/** Finds the open calls of a guarantee, without checking the caller's permissions. */
export function findOpenCalls(
  context: Context,
  obligorIds: readonly string[],
): Promise<GuaranteeCall[]> {
  const { db } = context.bank
  const where = { obligorId: { in: [...obligorIds] }, status: 'open' }
  return table.findMany({ ...context, db }, { where })
}
