/** One member of a record that a step changed; a member that was not there is null. */
export interface AuditChange {
  member: string
  before: unknown
  after: unknown
}

/** Who did what to a record, when, in which request, and what it changed. */
export interface AuditEntry {
  eventId: string
  /** Counted from 1 within the record. */
  sequence: number
  type: string
  at: Date
  actor: string
  requestId: string
  /** The event that made the bank do it, when none of its people or clients did. */
  causationId: string | null
  changes: readonly AuditChange[]
  /** The record as it was told after the step. */
  snapshot: Readonly<Record<string, unknown>>
}

type Snapshot = Readonly<Record<string, unknown>>

/** The members in which two snapshots of a record differ, in the order of their names. */
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

/** JSON whose objects have their members in order: the database keeps them in an order of its own. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${textOf(item)}`).join(',')}}`
}
