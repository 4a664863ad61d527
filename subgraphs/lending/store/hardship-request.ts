import type { Prisma } from '../../../prisma/client/client.ts'
import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { ownersOf } from '../domain/facility.ts'
import type { HardshipRequest } from '../domain/hardship-request.ts'
import type { HardshipEvent } from '../relief-events.ts'

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
  effect: request.effect && encodeAnswer(request.effect),
})

const requestFrom = (stored: Stored): HardshipRequest => ({
  ...stored,
  effect: stored.effect ? (decodeAnswer(stored.effect) as HardshipRequest['effect']) : null,
})

export const hardshipKind: Kind<HardshipRequest, HardshipEvent> = {
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

/** Hardship requests by id, each only if it is the caller's to see. */
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

/** Requests in the order they were submitted, as far as they are the caller's to see. */
export async function listHardshipRequests(
  context: Context,
  { loanId, status }: HardshipFilter,
  after: string[] | null,
  take: number,
): Promise<HardshipRequest[]> {
  const { partyId } = context.caller
  const where = {
    ...(partyId !== null && { partyId }),
    ...(loanId !== null && { loanId }),
    ...(status !== null && { status }),
  }
  return (await table.list(context, where, after, take)).map(requestFrom)
}

/** Requests whose time is nearly over, of which nobody was told. */
export async function findEscalating(context: Context, now: Date, take: number) {
  const where = { escalateAt: { lte: now } }
  const found = await table.findMany(context, { where, orderBy: { escalateAt: 'asc' }, take })
  return found.map(requestFrom)
}

/** Requests that have no case yet. */
export async function findWithoutCase(context: Context, take: number) {
  const where = { caseState: 'wanted' }
  const found = await table.findMany(context, { where, orderBy: { createdAt: 'asc' }, take })
  return found.map(requestFrom)
}
