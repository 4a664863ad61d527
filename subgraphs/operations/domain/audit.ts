/** A field modified by a change; the value of a field that does not exist is null. */
export interface AuditChange {
  member: string
  before: unknown
  after: unknown
}

/** An entry of the audit trail: a change of a record with its actor, time and request. */
export interface AuditEntry {
  eventId: string
  /** The sequence number among the changes of the record, starting at 1. */
  sequence: number
  type: string
  at: Date
  actor: string
  requestId: string
  /** The event that caused the change; null when a request caused it. */
  causationId: string | null
  changes: readonly AuditChange[]
  /** The record after the change, as included in the event. */
  snapshot: Readonly<Record<string, unknown>>
}

type Snapshot = Readonly<Record<string, unknown>>

/** The fields in which two snapshots of a record differ, in the order of their names. */
export function changesBetween(before: Snapshot, after: Snapshot): AuditChange[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return members.flatMap((member) => {
    const [was, is] = [valueOf(before, member), valueOf(after, member)]
    return textOf(was) === textOf(is) ? [] : [{ member, before: was, after: is }]
  })
}

function valueOf(snapshot: Snapshot, member: string): unknown {
  return Object.hasOwn(snapshot, member) ? (snapshot[member] ?? null) : null
}

/** JSON with sorted keys, because jsonb does not preserve their order. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${textOf(item)}`).join(',')}}`
}
