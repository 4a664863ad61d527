import type { Prisma } from '../../../../prisma/client/client.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import { ownersOf } from '../../domain/facilities/facility.ts'
import type { HardshipRequest } from '../../model/relief/hardship-request.ts'
import type { HardshipEvent } from '../../relief-events.ts'

/** A hardship request with its JSON column still encoded. */
type Stored = Omit<HardshipRequest, 'effect'> & { effect: string | null }

const table = tableOf<Stored, Prisma.HardshipRequestGetPayload<object>>(
  'lending.hardship_request',
  'hardshipRequestId',
  ({ db }) => db.hardshipRequest,
  (row) => ({
    ...row,
    type: row.type as HardshipRequest['type'],
    status: row.status as HardshipRequest['status'],
    caseState: row.caseState as HardshipRequest['caseState'],
    declineReasons: row.declineReasons as HardshipRequest['declineReasons'][number][],
    requestedStartDate: row.requestedStartDate && dateOf(row.requestedStartDate),
    requestedEndDate: row.requestedEndDate && dateOf(row.requestedEndDate),
  }),
)

const storedOf = (request: HardshipRequest): Stored => ({
  ...request,
  effect: request.effect && encodeResponse(request.effect),
})

const requestFrom = (stored: Stored): HardshipRequest => ({
  ...stored,
  effect: stored.effect ? (decodeResponse(stored.effect) as HardshipRequest['effect']) : null,
})

export const hardshipKind: RecordKind<HardshipRequest, HardshipEvent> = {
  entity: 'hardship-request',
  id: 'hardshipRequest',
  notFound: 'HARDSHIP_REQUEST_NOT_FOUND',
  created: 'lending.hardship-request.submitted',
  idOf: ({ hardshipRequestId }) => hardshipRequestId,
  ownersOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && requestFrom(stored)
  },
  insert: (request) => table.insert(storedOf(request)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: (request) => ({
    hardshipRequestId: request.hardshipRequestId,
    loanId: request.loanId,
    caseId: request.caseId,
    type: request.type,
    status: request.status,
    submittedAt: request.submittedAt,
    decisionDueBy: request.decisionDueBy,
    declineReasons: request.declineReasons,
    scheduleVersion: request.scheduleVersion,
    paymentHolidayId: request.paymentHolidayId,
  }),
  isPublished: false,
}

/**
 * Loads hardship requests by ID. The result is null for a request that does not exist or that the
 * caller may not see.
 */
export const loadHardshipRequest = loader<string, HardshipRequest>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? requestFrom(stored) : null,
  )
})

export interface HardshipFilter {
  loanId: string | null
  status: HardshipRequest['status'] | null
}

/**
 * Lists the hardship requests that the caller may see, in the order in which they were submitted.
 */
export async function listHardshipRequests(
  context: Context,
  { loanId, status }: HardshipFilter,
  after: string[] | null,
  take: number,
): Promise<HardshipRequest[]> {
  const where = { partyId: context.caller.partyId, loanId, status }
  return (await table.list(context, where, after, take)).map(requestFrom)
}

/** Returns the sort key of a hardship request: its submission time and its ID. */
export const hardshipSortKey = ({ submittedAt, hardshipRequestId }: HardshipRequest) => [
  submittedAt.toISOString(),
  hardshipRequestId,
]

/** Finds hardship requests that are due for escalation, earliest first. */
export async function findRequestsToEscalate(context: Context, now: Date, take: number) {
  const where = { escalateAt: { lte: now } }
  const found = await table.findMany(context, { where, orderBy: { escalateAt: 'asc' }, take })
  return found.map(requestFrom)
}

/** Finds hardship requests for which a case still has to be opened, oldest first. */
export async function findRequestsAwaitingCase(context: Context, take: number) {
  const where = { caseState: 'wanted' }
  const found = await table.findMany(context, { where, orderBy: { createdAt: 'asc' }, take })
  return found.map(requestFrom)
}
