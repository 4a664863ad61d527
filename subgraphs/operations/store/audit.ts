import type { Context } from '../../_kernel/context.ts'
import { withData } from '../../_kernel/events.ts'
import { changesBetween, type AuditEntry } from '../domain/audit.ts'

/** The audit entries of a subject after a sequence number, in order, each with its changes. */
export async function listSteps(
  { bank, db }: Context,
  subject: string,
  after: number,
  take: number,
): Promise<AuditEntry[]> {
  // One more entry at the front: changes are computed against the previous snapshot.
  const steps = await db.event.findMany({
    where: { subject, sequence: { gte: after } },
    orderBy: { sequence: 'asc' },
    take: take + 1,
  })
  const rows = await withData(bank.pool, steps)
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
