import { bankDateSql, isAnyDueSql } from '../../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../../prisma/client/client.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import type { Drawdown } from '../../domain/drawdowns/drawdown.ts'
import { ownersOf } from '../../domain/facilities/facility.ts'
import type { DrawdownEvent } from '../../events.ts'

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

export const drawdownKind: RecordKind<Drawdown, DrawdownEvent> = {
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

/**
 * Loads drawdowns by ID. The result is null for a drawdown that does not exist or that the caller
 * may not see.
 */
export const loadDrawdown = loader<string, Drawdown>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** Lists the drawdowns of a facility that the caller may see, in the order in which they were requested. */
export function listDrawdowns(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<Drawdown[]> {
  return table.list(context, { partyId: context.caller.partyId, facilityId }, after, take)
}

/** Whether there are drawdowns to pay out. */
export const areDrawdownsDueSql = isAnyDueSql(
  'lending.drawdown',
  'value_date',
  `state = 'approved' and value_date <= ${bankDateSql}`,
)

/** Finds approved drawdowns whose value date has been reached, oldest first. */
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
