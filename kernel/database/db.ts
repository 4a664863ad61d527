import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/client/client.ts'
import { PersonalCipher } from '../environment/personal-cipher.ts'
import { GroupCommits } from '../writing/gathered-commits.ts'
import { databaseOptions, HostClient, type HostOptions } from './database-hosts.ts'
import { decryptingClient, decryptingTypes } from './decrypting-client.ts'
import { PipelinedReads } from './pipelined-connection.ts'
import { sessionTimeouts } from './pooler.ts'
import { statementName } from './statement-name.ts'

export type Db = PrismaClient

const maxConnections = 20
const maxLockingConnections = 4
/** How many connections stay open. Opening one takes longer than a hundred statements. */
const minConnections = 2

/** The database of one environment: connection pools, and Prisma on top of the main pool. */
export interface Database {
  pool: pg.Pool
  /**
   * A second pool, for transactions that lock rows before a command decides. Such a transaction
   * reads through `pool` while it holds a connection of `locks`, so a single pool for both could
   * run out of connections and deadlock. For the same reason, `locks` bypasses a pooler.
   */
  locks: pg.Pool
  /** The options of a connection that needs a session of its own. */
  direct: HostOptions
  db: Db
  commits: GroupCommits
  /** Encrypts the personal data in commits, and decrypts it in all results. */
  cipher: PersonalCipher
  reads: PipelinedReads
  /** Registers a function to run before the database is closed. */
  onClose(run: () => Promise<void>): void
  close(): Promise<void>
}

export interface OpenDatabaseOptions {
  cipher?: PersonalCipher
  /** The URL of PostgreSQL itself, if the connection string is that of a pooler in transaction mode. */
  directUrl?: string | undefined
}

/** Opens a database. Connections are made on first use. */
export function openDatabase(
  connectionString: string,
  log: Logger,
  { cipher = new PersonalCipher(), directUrl }: OpenDatabaseOptions = {},
): Database {
  const base: pg.PoolConfig = {
    ...sessionTimeouts,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 10_000,
    application_name: 'bankgraph',
    types: decryptingTypes(cipher, { getTypeParser: parserOf }),
  }
  const options = { ...base, ...databaseOptions(connectionString), isPooled: !!directUrl }
  const direct = directUrl ? { ...base, ...databaseOptions(directUrl) } : options
  const pool = new pg.Pool({
    ...options,
    min: minConnections,
    max: maxConnections,
    Client: decryptingClient(cipher),
  } as pg.PoolConfig)
  const locks = new pg.Pool({
    ...direct,
    max: maxLockingConnections,
    Client: HostClient,
    pipeline: true,
  } as pg.PoolConfig)
  for (const eachPool of [pool, locks]) {
    eachPool.on('error', ({ message: error }) => {
      // During shutdown the database may close its connections first.
      if (!eachPool.ending) log.warn({ error }, 'database connection lost')
    })
  }
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) })
  const commits = new GroupCommits(pool, log)
  const reads = new PipelinedReads(pool.options as pg.ClientConfig, log)
  const closers = [() => commits.close(), () => reads.close()]
  return {
    pool,
    locks,
    direct,
    db,
    commits,
    cipher,
    reads,
    onClose: (run) => void closers.push(run),
    async close() {
      await Promise.all(closers.map((run) => run()))
      await db.$disconnect()
      await Promise.all([pool.end(), locks.end()])
    },
  }
}

const dateOid = 1082
const timestamptzOid = 1184
const parseTimestamp = pg.types.getTypeParser(timestamptzOid) as (text: string) => Date
const parsersByOid = new Map<number, (text: string) => Date>([
  // Midnight in UTC, like Prisma. The driver would use the time zone of this machine.
  [dateOid, (text) => new Date(`${text}T00:00:00Z`)],
  // The driver's parser is ten times slower, and a page of fifty records can have two hundred
  // timestamps.
  [
    timestamptzOid,
    (text) =>
      text.endsWith('+00')
        ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
        : parseTimestamp(text),
  ],
])
const parserOf = ((oid: number, format?: 'text') =>
  parsersByOid.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

function statementNameGenerator({ sql }: { sql: string }): string {
  return statementName(sql)
}
