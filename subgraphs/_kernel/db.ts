import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/client/client.ts'
import { GatheredCommits } from './gathered-commits.ts'
import { statementName } from './statement-name.ts'

export type Db = PrismaClient

/** One database of one environment: the pool that reads and commits share, and Prisma on top of it. */
export interface Database {
  pool: pg.Pool
  db: Db
  commits: GatheredCommits
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
  const commits = new GatheredCommits(pool, log)
  return {
    pool,
    db,
    commits,
    async close() {
      await commits.close()
      await db.$disconnect()
      await pool.end()
    },
  }
}

function statementNameGenerator({ sql }: { sql: string }): string {
  return statementName(sql)
}
