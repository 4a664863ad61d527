import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import type { Drawdown } from '../domain/drawdown.ts'
import { ownersOf } from '../domain/facility.ts'
import type { DrawdownEvent } from '../events.ts'

const table = tableOf<Drawdown, Prisma.DrawdownGetPayload<object>>(
  'lending.drawdown',
  'drawdownId',
  ({ db }) => db.drawdown,
  (row) => ({
    ...row,
    state: row.state as Drawdown['state'],
    valueDate: dateOf(row.valueDate),
    nextDueDate: row.nextDueDate && dateOf(row.nextDueDate),
  }),
)

export const drawdownKind: Kind<Drawdown, DrawdownEvent> = {
  ...table,
  entity: 'drawdown',
  id: 'drawdown',
  notFound: 'DRAWDOWN_NOT_FOUND',
  created: 'lending.drawdown.requested',
  ownersOf,
  snapshot: ({ drawdownId, facilityId, state, amountMinor, currency, ...drawdown }) => ({
    drawdownId,
    facilityId,
    state,
    amountMinor,
    currency,
    valueDate: drawdown.valueDate,
    scheduleVersion: drawdown.scheduleVersion,
    reasonCode: drawdown.reasonCode,
  }),
  isPublished: false,
}

/** Drawdowns by id, each only if it is the caller's to see. */
export const loadDrawdown = loader<string, Drawdown>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** The drawdowns of a facility in the order they were asked for. */
export function listDrawdowns(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<Drawdown[]> {
  return table.list(context, { facilityId }, after, take)
}

/** Approved drawdowns whose day has come, the oldest first. */
export function findDueDrawdowns(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Drawdown[]> {
  return table.findMany(context, {
    where: { state: 'approved', valueDate: { lte: new Date(`${today}T00:00:00Z`) } },
    orderBy: [{ valueDate: 'asc' }, { drawdownId: 'asc' }],
    take,
  })
}
