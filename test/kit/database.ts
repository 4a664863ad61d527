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
 * A migrated database of this test's own: empty, or a copy of a template that `filledTemplate`
 * returned. `drop` disconnects whoever is still in it.
 */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const { adminUrl, template: empty } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(adminUrl, `create database ${name} template ${template ?? empty} strategy wal_log`)
  return {
    url: urlOf(name),
    async drop() {
      await sessionsEnd(name)
      await query(adminUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

/** A database of this test's own without any tables. */
export const emptyDatabase = (): Promise<FreshDatabase> => freshDatabase('template0')

/**
 * Returns the name of a template that `fill` fills on its first use in the run. The other processes
 * wait for it meanwhile. Nobody can connect to it afterwards, so that each copy begins the same.
 */
export async function filledTemplate(
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const { adminUrl, template } = inject('postgres')
  const admin = new Client(adminUrl)
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name])
    const filled = 'select from pg_database where datname = $1 and not datallowconn'
    if ((await admin.query(filled, [name])).rowCount) return name
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template ${template} strategy wal_log`)
    await fill(urlOf(name))
    await sessionsEnd(name)
    await admin.query(`alter database ${name} allow_connections false`)
    return name
  } finally {
    await admin.end()
  }
}

function urlOf(name: string): string {
  const url = new URL(inject('postgres').adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Waits until a database is unused, or for 250 ms. The sessions of a pool end shortly after the pool:
 * one that ends and is ended at once reports an error.
 */
async function sessionsEnd(name: string): Promise<void> {
  const sessions = `select from pg_stat_activity where datname = '${name}' limit 1`
  for (const from = Date.now(); Date.now() - from < openSessionsMs;) {
    if ((await query(inject('postgres').adminUrl, sessions)).rowCount === 0) return
    await sleep(10)
  }
}

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
