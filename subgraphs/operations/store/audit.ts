import { requireCallerWaits, type Context } from '../../../kernel/environment/context.ts'
import { withData } from '../../../kernel/events/events.ts'
import { changesBetween, type AuditEntry } from '../domain/audit.ts'

/**
 * Lists the audit entries of a subject that follow the sequence number `after`, in order. Each
 * entry contains its changes. Old events are read from the archive. Throws
 * EVENT_ARCHIVE_UNAVAILABLE, and TIMEOUT if the caller no longer waits.
 */
export async function listAuditEntries(
  context: Context,
  subject: string,
  after: number,
  take: number,
): Promise<AuditEntry[]> {
  // One earlier event is read, because changes are computed against the previous snapshot.
  const page = { subject, fromSequence: after, take: take + 1 }
  const rows = await withData(context.bank.pool, await listEvents(context, page))
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

/** Lists the events of a subject from a sequence number on, with those of the archive. */
async function listEvents(
  context: Context,
  { subject, fromSequence, take }: { subject: string; fromSequence: number; take: number },
) {
  // The table is read first: what leaves it meanwhile is found in the archive.
  const stored = await context.db.event.findMany({
    where: { subject, sequence: { gte: fromSequence } },
    orderBy: { sequence: 'asc' },
    take,
  })
  const archived = await context.bank.archive.read(0n, take, { subject, fromSequence }, () =>
    requireCallerWaits(context),
  )
  // Of an archived event whose row has stayed, the row has the complete data.
  const inTable = new Set(stored.map(({ sequence }) => sequence))
  const others = archived
    .filter(({ sequence }) => !inTable.has(sequence))
    .map(({ data, ...event }) => ({ ...event, data: data === null ? null : JSON.parse(data) }))
  return [...stored, ...others].sort((a, b) => a.sequence - b.sequence).slice(0, take)
}
