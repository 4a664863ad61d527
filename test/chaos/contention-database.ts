import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../host/embedded-postgres.ts'

/** A database for this run alone. */
export interface TestDatabase {
  url: string
  /** Drops it, unless it is to be kept and is on a given server. */
  close(isRetained: boolean): Promise<void>
}

/** Room for each writer's connection pools, and for the checks. */
const connectionsPerWriter = 40
const maxWriters = 9

/** Creates a database on a temporary PostgreSQL below `folder`, or on the server at `postgresUrl`. */
export async function createDatabase(folder: string, postgresUrl?: string): Promise<TestDatabase> {
  const name = `contention_${Date.now()}`
  if (postgresUrl !== undefined) return createAt(postgresUrl, name)
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    log: () => undefined,
    isTemporary: true,
    settings: {
      max_connections: String(connectionsPerWriter * maxWriters),
      shared_buffers: '256MB',
    },
  })
  await postgres.ensureDatabase(name)
  return { url: postgres.url(name), close: () => postgres.stop() }
}

async function createAt(postgresUrl: string, name: string): Promise<TestDatabase> {
  const run = async (sql: string) => {
    const client = new Client(postgresUrl)
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    close: async (isRetained) => {
      if (isRetained) process.stderr.write(`The database ${name} was kept.\n`)
      else await run(`drop database ${name} with (force)`)
    },
  }
}
