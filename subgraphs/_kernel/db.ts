import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/client/client.ts'
import { GatheredCommits } from './gathered-commits.ts'
import { PipelinedReads } from './pipelined-connection.ts'
import { statementName } from './statement-name.ts'

export type Db = PrismaClient

const maxLocking = 4

/** One database of one environment: the pool that reads and commits share, and Prisma on top of it. */
export interface Database {
  pool: pg.Pool
  /**
   * Connections of transactions that lock what they decide on. They are apart from the pool, because
   * such a transaction reads through the pool while it holds its connection.
   */
  locks: pg.Pool
  db: Db
  commits: GatheredCommits
  reads: PipelinedReads
  /** Has `run` done before the database is closed. */
  onClose(run: () => Promise<void>): void
  close(): Promise<void>
}

/** Connects lazily. The limits keep a stuck statement from holding a connection for long. */
export function openDatabase(connectionString: string, log: Logger, max = 20): Database {
  const options: pg.PoolConfig = {
    connectionString,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 10_000,
    statement_timeout: 10_000,
    lock_timeout: 2000,
    idle_in_transaction_session_timeout: 5000,
    application_name: 'bankgraph',
    types: { getTypeParser: parserOf },
  }
  const pool = new pg.Pool({ ...options, max })
  const locks = new pg.Pool({ ...options, max: maxLocking, pipeline: true } as pg.PoolConfig)
  for (const each of [pool, locks]) {
    each.on('error', ({ message: error }) => {
      // Who stops may see its own database go first.
      if (!each.ending) log.warn({ error }, 'database connection lost')
    })
  }
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) })
  const commits = new GatheredCommits(pool, log)
  const reads = new PipelinedReads(pool.options as pg.ClientConfig, log)
  const closers = [() => commits.close(), () => reads.close()]
  return {
    pool,
    locks,
    db,
    commits,
    reads,
    onClose: (run) => void closers.push(run),
    async close() {
      await Promise.all(closers.map((run) => run()))
      await db.$disconnect()
      await Promise.all([pool.end(), locks.end()])
    },
  }
}

/** Dates are midnight in UTC, as Prisma reads them, and not in the time zone of this machine. */
const dateOid = 1082
const timestamptzOid = 1184
const parseTimestamp = pg.types.getTypeParser(timestamptzOid) as (text: string) => Date
const ownParsers = new Map<number, (text: string) => Date>([
  [dateOid, (text) => new Date(`${text}T00:00:00Z`)],
  // The driver's parser takes ten times as long, and a page of fifty has two hundred of them.
  [
    timestamptzOid,
    (text) =>
      text.endsWith('+00')
        ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
        : parseTimestamp(text),
  ],
])
const parserOf = ((oid: number, format?: 'text') =>
  ownParsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

function statementNameGenerator({ sql }: { sql: string }): string {
  return statementName(sql)
}
