import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../kit/database.ts'

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

test('creates isolated, migrated test databases and drops them while they are in use', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()])
  await withClient(one.url, (client) => client.query('create table mine ()'))
  await withClient(two.url, async (client) => {
    const { rows } = await client.query(`select to_regclass('mine') as mine,
      (select count(*)::int from _prisma_migrations) as migrations`)
    expect(rows[0].mine).toBeNull()
    expect(rows[0].migrations).toBeGreaterThan(0)
    await two.drop()
  })
  await one.drop()
  await expect(withClient(one.url, async () => undefined)).rejects.toThrow('does not exist')
})
