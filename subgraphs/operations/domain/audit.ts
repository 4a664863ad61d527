/** A field that a change modified. The value of a field that does not exist is null. */
export interface AuditChange {
  member: string
  before: unknown
  after: unknown
}

/** An entry of the audit trail: a change to a record, with its actor, time and request. */
export interface AuditEntry {
  eventId: string
  /** The number of the change among all changes to the record, starting at 1. */
  sequence: number
  type: string
  at: Date
  actor: string
  requestId: string
  /** The event that caused the change; null if a request caused it. */
  causationId: string | null
  changes: readonly AuditChange[]
  /** The record after the change, as the event contains it. */
  snapshot: Readonly<Record<string, unknown>>
}

type Snapshot = Readonly<Record<string, unknown>>

/** Returns the fields in which two snapshots of a record differ, by name. */
export function changesBetween(before: Snapshot, after: Snapshot): AuditChange[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return members.flatMap((member) => {
    const [valueBefore, valueAfter] = [valueOf(before, member), valueOf(after, member)]
    return textOf(valueBefore) === textOf(valueAfter)
      ? []
      : [{ member, before: valueBefore, after: valueAfter }]
  })
}

function valueOf(snapshot: Snapshot, member: string): unknown {
  return Object.hasOwn(snapshot, member) ? (snapshot[member] ?? null) : null
}

/** Returns JSON with sorted keys, because jsonb does not preserve the order of keys. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${textOf(item)}`).join(',')}}`
}
