import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/client/client.ts'

export type Db = PrismaClient

/** One database of one environment: the pool that reads and commits share, and Prisma on top of it. */
export interface Database {
  pool: pg.Pool
  db: Db
  close(): Promise<void>
}

/** Connects lazily. The limits keep a stuck statement from holding a connection for long. */
export function openDatabase(connectionString: string, log: Logger, max = 20): Database {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 10_000,
    statement_timeout: 10_000,
    lock_timeout: 2000,
    idle_in_transaction_session_timeout: 5000,
    application_name: 'bankgraph',
  })
  pool.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) })
  return {
    pool,
    db,
    async close() {
      await db.$disconnect()
      await pool.end()
    },
  }
}

const names = new Map<string, string>()

/** A short stable name for an SQL text, so that PostgreSQL keeps its plan per connection. */
export function statementName(sql: string): string {
  let name = names.get(sql)
  if (name === undefined) {
    name = `s${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
    if (names.size < 5000) names.set(sql, name)
  }
  return name
}

function statementNameGenerator({ sql }: { sql: string }): string {
  return statementName(sql)
}

/** The SQLSTATE of a driver's or Prisma's error, wherever it hides it. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error as Record<string, any> | undefined, depth = 0; at && depth < 5; depth++) {
    if (typeof at['code'] === 'string' && /^[0-9A-Z]{5}$/.test(at['code'])) return at['code']
    const original =
      at['meta']?.driverAdapterError?.cause?.originalCode ?? at['cause']?.originalCode
    if (typeof original === 'string') return original
    if (at['code'] === 'P2034') return '40001'
    at = at['cause']
  }
  return undefined
}

const lostConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])

/**
 * Whether the database is away or going away, rather than refusing this statement. The outcome of
 * a statement that ends so is unknown: repeat it only under an idempotency key.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state && (/^(08|53|57P)/.test(state) || state === '25006')) return true
  const code = (error as { code?: string }).code
  if (code && lostConnection.has(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Can't reach database/.test(
    (error as Error).message ?? '',
  )
}
