import type pg from 'pg'
import { sqlState } from '../kernel/database/sql-errors.ts'
import type { LogCursor } from '../kernel/events/event-ring.ts'

/** The row that a group's statement returns. `before` is the place before the group's first event. */
interface GroupRow {
  claimed: number
  before: { position: string; eventId: string | null }
}

export function areKeysClaimed({ rows }: pg.QueryResult): boolean {
  return (rows[0] as GroupRow).claimed === 1
}

/** Returns the place in the event log before the group's first event. */
export function placeBefore({ rows }: pg.QueryResult): LogCursor {
  const { position, eventId } = (rows[0] as GroupRow).before
  return { position: BigInt(position), eventId }
}

const collisionStates = new Set(['BG001', 'BG005', '23505', '40P01', '40001', '55P03'])

/** Whether the group conflicted with another writer, so that it must be decided again. */
export function isCollision(error: unknown): boolean {
  return collisionStates.has(sqlState(error) ?? '')
}

/** Whether the group failed because an idempotency key, or another unique value, was in use. */
export function isKeyUsed(error: unknown): boolean {
  return ['BG001', '23505'].includes(sqlState(error) ?? '')
}

/** Errors for outcomes that the database does not report as errors. */
export const keyUsedError = Object.assign(
  new Error('An idempotency key of the group was already in use.'),
  { code: 'BG001' },
)
export const rolledBackError = Object.assign(new Error('The transaction was rolled back.'), {
  code: '40001',
})

/** Throws if an idempotency key of the group was already in use. */
export function requireKeysClaimed(answer: pg.QueryResult): void {
  if (!areKeysClaimed(answer)) throw keyUsedError
}

/** Returns the results of a group's statements and its commit. Throws the first error. */
export function requireCommitted(
  outcomes: readonly PromiseSettledResult<pg.QueryResult>[],
): pg.QueryResult[] {
  const results = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  if (results.at(-1)!.command !== 'COMMIT') throw rolledBackError
  return results
}
