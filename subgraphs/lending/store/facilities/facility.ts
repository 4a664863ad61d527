import type { Prisma } from '../../../../prisma/client/client.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import { lockRows, type Write } from '../../../../kernel/writing/writes.ts'
import {
  availableOf,
  lifecycleOf,
  readersOf,
  statesWhere,
  type Facility,
} from '../../domain/facilities/facility.ts'
import { requireBucketLabel } from '../../domain/servicing/delinquency-bucket.ts'
import type { FacilityEvent } from '../../events.ts'

/** A facility with its JSON columns still encoded. */
type Stored = Omit<
  Facility,
  'loan' | 'upfrontFees' | 'lateCharges' | 'lateChargePauses' | 'floatingRate'
> & {
  loan: string
  upfrontFees: string
  lateCharges: string | null
  lateChargePauses: string
  floatingRate: string | null
}

const optionalDate = (date: Date | null) => date && dateOf(date)

export type FacilityRow = Prisma.FacilityGetPayload<object>

const storedFromRow = (row: FacilityRow): Stored => ({
  ...row,
  kind: row.kind as Facility['kind'],
  state: row.state as Facility['state'],
  openedOn: dateOf(row.openedOn),
  availableFrom: dateOf(row.availableFrom),
  availableTo: optionalDate(row.availableTo),
  maturityDate: optionalDate(row.maturityDate),
  nextDueDate: optionalDate(row.nextDueDate),
  accruedThrough: dateOf(row.accruedThrough),
  closedThrough: dateOf(row.closedThrough),
  delinquencyStage: row.delinquencyStage as Facility['delinquencyStage'],
})

const table = tableOf<Stored, FacilityRow>(
  'lending.facility',
  'facilityId',
  ({ db }) => db.facility,
  storedFromRow,
)

const storedOf = (facility: Facility): Stored => ({
  ...facility,
  loan: encodeResponse(facility.loan),
  upfrontFees: encodeResponse(facility.upfrontFees),
  lateCharges: facility.lateCharges && encodeResponse(facility.lateCharges),
  lateChargePauses: encodeResponse(facility.lateChargePauses),
  floatingRate: facility.floatingRate && encodeResponse(facility.floatingRate),
})
const facilityFrom = (stored: Stored): Facility => ({
  ...stored,
  loan: decodeResponse(stored.loan) as Facility['loan'],
  upfrontFees: decodeResponse(stored.upfrontFees) as Facility['upfrontFees'],
  lateCharges:
    stored.lateCharges === null
      ? null
      : (decodeResponse(stored.lateCharges) as Facility['lateCharges']),
  lateChargePauses: decodeResponse(stored.lateChargePauses) as Facility['lateChargePauses'],
  floatingRate:
    stored.floatingRate === null
      ? null
      : (decodeResponse(stored.floatingRate) as Facility['floatingRate']),
})

export const facilityFromRow = (row: FacilityRow): Facility => facilityFrom(storedFromRow(row))

export const facilityKind: RecordKind<Facility, FacilityEvent> = {
  entity: 'facility',
  id: 'facility',
  notFound: 'FACILITY_NOT_FOUND',
  created: 'lending.facility.opened',
  idOf: ({ facilityId }) => facilityId,
  ownersOf: readersOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && facilityFrom(stored)
  },
  insert: (facility) => table.insert(storedOf(facility)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: (facility) => ({
    facilityId: facility.facilityId,
    customerId: facility.customerId,
    partyId: facility.partyId,
    kind: facility.kind,
    state: facility.state,
    currency: facility.currency,
    limitMinor: facility.limitMinor.toString(),
    outstandingMinor: facility.principalMinor.toString(),
    availableMinor: availableOf(facility).toString(),
    requiredCoveragePct: facility.requiredCoveragePct,
    maturityDate: facility.maturityDate,
    productId: facility.productId,
    settlementArrangementId: facility.settlementArrangementId,
    delinquencyStage: facility.delinquencyStage,
    delinquencyBucket: facility.delinquencyBucket,
  }),
  isPublished: true,
  lifecycleOf,
}

/**
 * Returns the SQL condition that selects facilities (table alias `f`) in the states that satisfy a
 * rule.
 */
export function sqlWhere(rule: Parameters<typeof statesWhere>[0]): string {
  return `f.state in ('${statesWhere(rule).join("', '")}')`
}

/**
 * Returns a write that makes the commit fail if a facility has changed since it was read. A
 * decision that reads a facility without changing it needs this write.
 */
export function requireUnchangedFacility({ facilityId, version }: Facility): Write {
  return lockRows('lending.facility', 'facility_id', [{ facility_id: facilityId, version }])
}

/**
 * Loads facilities by ID. The result is null for a facility that does not exist or that the caller
 * may not see.
 */
export const loadFacility = loader<string, Facility>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, readersOf(stored)) ? facilityFrom(stored) : null,
  )
})

export interface FacilityFilter {
  customerId: string | null
  kind: Facility['kind'] | null
  state: Facility['state'] | null
  delinquencyBucket: string | null
}

/**
 * Lists the facilities that the caller may see, in the order of their creation. Throws
 * VALIDATION_FAILED for a text that is not the label of a delinquency bucket.
 */
export async function listFacilities(
  context: Context,
  { customerId, kind, state, delinquencyBucket }: FacilityFilter,
  after: string[] | null,
  take: number,
): Promise<Facility[]> {
  requireBucketLabel(delinquencyBucket)
  const where = { partyId: context.caller.partyId, customerId, kind, state, delinquencyBucket }
  return (await table.list(context, where, after, take)).map(facilityFrom)
}

/** Returns the sort key of a facility: its creation time and its ID. */
export const facilitySortKey = ({ createdAt, facilityId }: Facility) => [
  createdAt.toISOString(),
  facilityId,
]
