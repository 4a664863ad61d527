import type { Prisma } from '../../../../prisma/client/client.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { inOrder, loader, type Context } from '../../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import { lockRows, type Write } from '../../../../kernel/writing/writes.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import {
  concernedBy,
  informedOf,
  obligorLifecycle,
  shownToParty,
} from '../../domain/obligors/obligor.ts'
import type { FacilityObligor } from '../../model/obligors/obligor.ts'
import type { ObligorEvent } from '../../obligor-events.ts'
import { facilityFromRow } from '../facilities/facility.ts'

const table = tableOf<FacilityObligor, Prisma.FacilityObligorGetPayload<object>>(
  'lending.facility_obligor',
  'obligorId',
  ({ db }) => db.facilityObligor,
  (row) => ({
    ...row,
    role: row.role as FacilityObligor['role'],
    status: row.status as FacilityObligor['status'],
    validUntil: row.validUntil && dateOf(row.validUntil),
  }),
)

export const obligorSortKey = table.sortKey

export const obligorKind: RecordKind<FacilityObligor, ObligorEvent> = {
  ...table,
  entity: 'obligor',
  id: 'obligor',
  notFound: 'OBLIGOR_NOT_FOUND',
  created: 'lending.facility.obligor-added',
  ownersOf: informedOf,
  snapshot: (obligor) => ({
    obligorId: obligor.obligorId,
    facilityId: obligor.facilityId,
    partyId: obligor.partyId,
    role: obligor.role,
    status: obligor.status,
    currency: obligor.currency,
    amountMinor: obligor.amountMinor?.toString() ?? null,
    percentage: obligor.percentage,
    validUntil: obligor.validUntil,
    documentId: obligor.documentId,
  }),
  isPublished: true,
  lifecycleOf: obligorLifecycle,
}

/**
 * Returns a write that makes the commit fail if an obligor has changed since it was read. A decision
 * that reads an obligor without changing it needs this write.
 */
export function requireUnchangedObligor({ obligorId, version }: FacilityObligor): Write {
  return lockRows('lending.facility_obligor', 'obligor_id', [{ obligor_id: obligorId, version }])
}

/**
 * Loads obligors by ID. The result is null for an obligor that does not exist or that the caller may
 * not see.
 */
export const loadObligor = loader<string, FacilityObligor>(async (context, ids) => {
  const found = await table.loadMany(context, ids)
  return found.map((each) =>
    each && maySee(context.caller, concernedBy(each)) ? shownTo(context, each) : null,
  )
})

const shownTo = ({ caller }: Context, obligor: FacilityObligor): FacilityObligor =>
  caller.partyId === null ? obligor : shownToParty(obligor)

/** Which obligors to list: those of a facility, or those that a party is. */
export type ObligorFilter = { facilityId: string } | { partyId: string }

/**
 * Lists obligors in the order in which they were added. The borrower sees all obligors of its
 * facility; any other party sees only what it is liable for itself.
 */
export async function listObligors(
  context: Context,
  filter: ObligorFilter,
  after: string[] | null,
  take: number,
): Promise<FacilityObligor[]> {
  const { partyId } = context.caller
  const visible = partyId === null ? {} : { OR: [{ partyId }, { borrowerPartyId: partyId }] }
  const found = await table.list(context, { AND: [filter, visible] }, after, take)
  return found.map((each) => shownTo(context, each))
}

/** Finds the obligors of a facility that are liable, without checking the caller's permissions. */
export function findLiableObligors({ bank }: Context, facilityId: string) {
  return bank.db.facilityObligor.findMany({
    where: { facilityId, status: { in: ['active', 'release-proposed'] } },
    select: { obligorId: true, partyId: true },
  })
}

/** Finds the obligors of facilities that are liable, without checking the caller's permissions. */
export function findLiableOf(
  context: Context,
  facilityIds: readonly string[],
): Promise<FacilityObligor[]> {
  const { db } = context.bank
  const status = { in: ['active', 'release-proposed'] }
  const where = { facilityId: { in: [...facilityIds] }, status }
  return table.findMany({ ...context, db }, { where })
}

/**
 * Loads the facilities of obligors, without checking the caller's permissions: what a guarantor is
 * liable for depends on a facility that it may not read.
 */
export const loadFacilityOfObligor = loader<string, Facility>(async ({ bank }, facilityIds) => {
  const rows = await bank.db.facility.findMany({ where: { facilityId: { in: [...facilityIds] } } })
  return inOrder(facilityIds, rows.map(facilityFromRow), ({ facilityId }) => facilityId)
})
