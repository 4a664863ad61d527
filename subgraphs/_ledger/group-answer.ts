import type pg from 'pg'
import { sqlState } from '../_kernel/sql-errors.ts'

/** What the statement of a group answers; `before` is the position before its first event. */
interface Answer {
  claimed: number
  before: string
}

export function isDone({ rows }: pg.QueryResult): boolean {
  return (rows[0] as Answer).claimed === 1
}

/** The position in the event log before the first event of the group. */
export function positionBefore({ rows }: pg.QueryResult): bigint {
  return BigInt((rows[0] as Answer).before)
}

const collisions = new Set(['BG001', 'BG005', '23505', '40P01', '40001', '55P03'])

/** Whether another writer was first: what was decided does not stand, and is decided again. */
export function isCollision(error: unknown): boolean {
  return collisions.has(sqlState(error) ?? '')
}

/** Failures that the database does not report as such. */
export const keyWasUsed = Object.assign(new Error('A key had been used before.'), { code: 'BG001' })
export const wasUndone = Object.assign(new Error('The transaction was rolled back.'), {
  code: '40001',
})
