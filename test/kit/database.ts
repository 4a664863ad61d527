import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

/** A migrated, empty database of this test's own. `drop` disconnects whoever is still in it. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { adminUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => query(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

async function query(url: string, sql: string) {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
