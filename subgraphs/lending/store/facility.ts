import type { Prisma } from '../../../prisma/client/client.ts'
import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { holdRows, type Write } from '../../_kernel/writes.ts'
import { availableOf, ownersOf, type Facility } from '../domain/facility.ts'
import type { FacilityEvent } from '../events.ts'

/** A facility whose loan is written down. */
type Stored = Omit<Facility, 'loan' | 'upfrontFees'> & { loan: string; upfrontFees: string }

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
  loan: encodeAnswer(facility.loan),
  upfrontFees: encodeAnswer(facility.upfrontFees),
})
const facilityFrom = (stored: Stored): Facility => ({
  ...stored,
  loan: decodeAnswer(stored.loan) as Facility['loan'],
  upfrontFees: decodeAnswer(stored.upfrontFees) as Facility['upfrontFees'],
})

export const facilityFromRow = (row: FacilityRow): Facility => facilityFrom(storedFromRow(row))

export const facilityKind: Kind<Facility, FacilityEvent> = {
  entity: 'facility',
  id: 'facility',
  notFound: 'FACILITY_NOT_FOUND',
  created: 'lending.facility.opened',
  idOf: ({ facilityId }) => facilityId,
  ownersOf,
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
  }),
  isPublished: true,
}

/** Holds a facility that a decision reads and does not change. */
export function holdFacility({ facilityId, version }: Facility): Write {
  return holdRows('lending.facility', 'facility_id', [{ facility_id: facilityId, version }])
}

/** Facilities by id, each only if it is the caller's to see. */
export const loadFacility = loader<string, Facility>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? facilityFrom(stored) : null,
  )
})

export interface FacilityFilter {
  customerId: string | null
  kind: Facility['kind'] | null
  state: Facility['state'] | null
}

/** Facilities in the order they were opened, as far as they are the caller's to see. */
export async function listFacilities(
  context: Context,
  { customerId, kind, state }: FacilityFilter,
  after: string[] | null,
  take: number,
): Promise<Facility[]> {
  const { partyId } = context.caller
  const where = {
    ...(partyId !== null && { partyId }),
    ...(customerId !== null && { customerId }),
    ...(kind !== null && { kind }),
    ...(state !== null && { state }),
  }
  return (await table.list(context, where, after, take)).map(facilityFrom)
}

/** The place of a facility in a list. */
export const facilitySortKey = ({ createdAt, facilityId }: Facility) => [
  createdAt.toISOString(),
  facilityId,
]
