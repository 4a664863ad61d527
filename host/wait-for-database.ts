import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseOptions, HostClient } from '../kernel/database/database-hosts.ts'
import { isUnavailable } from '../kernel/database/sql-errors.ts'

const retryMs = 500
const connectTimeoutMs = 5000

export interface DatabaseWait {
  /** The setting that names the database, such as `DATABASE_URL`. */
  setting: string
  databaseUrl: string
  /** How long to wait for a database that is not reachable. */
  waitMs: number
  log: Logger
}

/**
 * Waits until a database accepts connections. Throws an Error that names the setting, the host and
 * the reason, without the password, if the database is not reachable in time, and at once if it
 * rejects the connection, for example because the password is wrong.
 */
export async function waitForDatabase(wait: DatabaseWait): Promise<void> {
  const { setting, databaseUrl, waitMs, log } = wait
  const untilMs = performance.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    const error = await connectionError(databaseUrl)
    if (!error) return
    const reason = error.message || String((error as NodeJS.ErrnoException).code)
    const sentence = `${setting}: no connection to the database ${addressOf(databaseUrl)}: ${reason}`
    if (!isUnavailable(error) || performance.now() >= untilMs) {
      throw new Error(sentence, { cause: error })
    }
    if (isFirst) log.warn(`${sentence}. Waiting for it for ${waitMs} ms.`)
    await sleep(retryMs)
  }
}

async function connectionError(connectionString: string): Promise<Error | null> {
  const client = new HostClient({
    ...databaseOptions(connectionString),
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return null
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns the hosts, the ports and the name of a database, without credentials. */
const addressOf = (databaseUrl: string) => databaseUrl.replace(/^\w+:\/\/([^@/]*@)?|\?.*$/g, '')
