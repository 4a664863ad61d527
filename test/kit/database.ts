import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { inject } from 'vitest'

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

const openSessionsMs = 250

/**
 * A migrated, empty database of this test's own. `drop` disconnects whoever is still in it. The
 * sessions of a pool end shortly after the pool: one that ends and is ended at once reports an error.
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { adminUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(adminUrl, `create database ${name} template ${template} strategy wal_log`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      const isUnused = async () => (await query(adminUrl, sessionsOf(name))).rowCount === 0
      for (const from = Date.now(); Date.now() - from < openSessionsMs;) {
        if (await isUnused()) break
        await sleep(10)
      }
      await query(adminUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

const sessionsOf = (name: string) =>
  `select from pg_stat_activity where datname = '${name}' limit 1`

async function query(url: string, sql: string) {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
