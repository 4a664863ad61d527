import type { Context } from '../../../kernel/environment/context.ts'
import { withData } from '../../../kernel/events/events.ts'
import { changesBetween, type AuditEntry } from '../domain/audit.ts'

/**
 * Lists the audit entries of a subject that follow the sequence number `after`, in order. Each
 * entry contains its changes.
 */
export async function listAuditEntries(
  { bank, db }: Context,
  subject: string,
  after: number,
  take: number,
): Promise<AuditEntry[]> {
  // One earlier event is read, because changes are computed against the previous snapshot.
  const events = await db.event.findMany({
    where: { subject, sequence: { gte: after } },
    orderBy: { sequence: 'asc' },
    take: take + 1,
  })
  const rows = await withData(bank.pool, events)
  const bySequence = new Map(rows.map((row) => [row.sequence, row]))
  return rows
    .filter(({ sequence }) => sequence > after)
    .slice(0, take)
    .map((row) => {
      const { eventId, sequence, type, time: at, actor, correlationId: requestId } = row
      const before = bySequence.get(sequence - 1)?.data ?? {}
      const { data: snapshot } = row
      const changes = changesBetween(before, snapshot)
      const { causationId } = row
      return { eventId, sequence, type, at, actor, requestId, causationId, changes, snapshot }
    })
}
