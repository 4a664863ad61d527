import type { Prisma } from '../../../../prisma/client/client.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { columnsOf, tableOf } from '../../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../../kernel/writing/writes.ts'
import { partOf } from '../../domain/repayments/due-installment.ts'
import { partiesOf, type Repayment } from '../../domain/repayments/repayment.ts'
import { loadFacility } from '../facilities/facility.ts'
import type { RepaymentEvent } from '../../events.ts'

/** A repayment with its JSON columns still encoded. */
type Stored = Omit<Repayment, 'allocations' | 'extraPayment'> & {
  allocations: string
  extraPayment: string | null
}

const table = tableOf<Stored, Prisma.RepaymentGetPayload<object>>(
  'lending.repayment',
  'repaymentId',
  ({ db }) => db.repayment,
  (row) => ({
    ...row,
    state: row.state as Repayment['state'],
    paymentDate: dateOf(row.paymentDate),
  }),
)

const storedOf = (repayment: Repayment): Stored => ({
  ...repayment,
  allocations: encodeResponse(repayment.allocations),
  extraPayment: repayment.extraPayment && encodeResponse(repayment.extraPayment),
})
const repaymentFrom = (stored: Stored): Repayment => ({
  ...stored,
  allocations: decodeResponse(stored.allocations) as Repayment['allocations'],
  extraPayment:
    stored.extraPayment === null
      ? null
      : (decodeResponse(stored.extraPayment) as Repayment['extraPayment']),
})

export const repaymentKind: RecordKind<Repayment, RepaymentEvent> = {
  entity: 'repayment',
  id: 'repayment',
  notFound: 'REPAYMENT_NOT_FOUND',
  created: 'lending.repayment.applied',
  idOf: ({ repaymentId }) => repaymentId,
  ownersOf: partiesOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && repaymentFrom(stored)
  },
  insert: (repayment) => table.insert(storedOf(repayment)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: (repayment) => ({
    repaymentId: repayment.repaymentId,
    facilityId: repayment.facilityId,
    state: repayment.state,
    isCollected: repayment.isCollected,
    amountMinor: repayment.amountMinor,
    currency: repayment.currency,
    paymentDate: repayment.paymentDate,
    lateChargesMinor:
      partOf(repayment.allocations, 'fees') + partOf(repayment.allocations, 'penalties'),
    interestMinor: partOf(repayment.allocations, 'interest') + repayment.extraInterestMinor,
    principalMinor: partOf(repayment.allocations, 'principal') + repayment.extraPrincipalMinor,
  }),
  isPublished: false,
}

/**
 * Returns the write that inserts the repayments collected at the end of day, in an array that is
 * empty if there are none.
 */
export function insertRepayments(repayments: readonly Repayment[]): Write[] {
  if (repayments.length === 0) return []
  return [insert('lending.repayment', ...repayments.map((each) => columnsOf(storedOf(each))))]
}

/**
 * Loads repayments by ID. The result is null for a repayment that does not exist or that the caller
 * may not see.
 */
export const loadRepayment = loader<string, Repayment>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return Promise.all(
    found.map(async (stored) =>
      stored && (await mayRead(context, stored)) ? repaymentFrom(stored) : null,
    ),
  )
})

/** Whether the caller may read a repayment: its own, or one of a facility that it may read. */
async function mayRead(context: Context, repayment: Stored): Promise<boolean> {
  if (maySee(context.caller, partiesOf(repayment))) return true
  return (await loadFacility(context, repayment.facilityId)) !== null
}

/** Lists the repayments of a facility in the order in which they were recorded. */
export async function listRepayments(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<Repayment[]> {
  return (await table.list(context, { facilityId }, after, take)).map(repaymentFrom)
}
