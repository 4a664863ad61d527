import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import '../../../subgraphs/parties/personal-data.ts'
import { Heartbeat } from '../../../kernel/database/heartbeat.ts'
import { DataKeys } from '../../../kernel/environment/data-keys.ts'
import type { KeyRing } from '../../../kernel/environment/key-ring.ts'
import { PersonalCipher } from '../../../kernel/environment/personal-cipher.ts'
import { createVault } from '../../../kernel/environment/vault.ts'
import { eventually } from '../../kit/eventually.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let pool: pg.Pool
const opened: DataKeys[] = []
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url })
})
afterAll(async () => {
  for (const keys of opened) keys.close()
  await pool.end()
  await database.drop()
})

/** A process that knows these root secrets, the current one first. */
async function aProcess(...known: [string, ...string[]]) {
  const ring: KeyRing = { current: known[0], accepted: known, known }
  const vault = createVault(ring)
  const cipher = new PersonalCipher()
  const log = pino({ level: 'silent' })
  const keys = new DataKeys({ pool, cipher, vault, log, isOn: true })
  opened.push(keys)
  await keys.start()
  return { keys, vault, cipher }
}

const encrypted = (cipher: PersonalCipher) =>
  cipher.encryptValue('parties.party', 'given_name', 'Ada') as string
const stored = async () =>
  (
    await pool.query<{ version: number; wrapped_key: string }>(
      `select version, wrapped_key from kernel.data_key
       where area = 'parties' and purpose = 'encryption' order by version`,
    )
  ).rows

test('processes share the keys, and one of them follows a rotation of the root secret', async () => {
  const first = await aProcess('root-1')
  const second = await aProcess('root-1')
  const before = encrypted(first.cipher)
  expect(before).not.toContain('Ada')
  expect(second.cipher.decryptText(before)).toBe('Ada')
  await second.keys.followRootSecret()
  expect((await stored()).map(({ version }) => version)).toEqual([1])

  // Once a bank has events, other processes can be at work in it.
  await pool.query(
    `insert into kernel.event (position, event_id, type, subject, time, data, parties, correlation_id, actor, sequence)
     values (1, 'evt_1', 'parties.party.created', 'party:pty_1', now(), '{}', '{}', 'c', 'a', 1)`,
  )
  await pool.query('update kernel.head set position = 1')
  const rotated = await aProcess('root-2', 'root-1')
  await rotated.keys.followRootSecret()
  const after = await stored()
  expect(after.map(({ version }) => version)).toEqual([1, 2])
  for (const { wrapped_key: key } of after) expect(rotated.vault.isCurrent(key)).toBe(true)
  // It is published first, so that all processes know it when the first one uses it.
  expect(rotated.cipher.currentKey('parties')?.version).toBe(1)
  await rotated.keys.followRootSecret()
  expect(await stored()).toHaveLength(2)

  // The former root secret is no longer needed.
  const later = await aProcess('root-2')
  expect(later.cipher.decryptText(before)).toBe('Ada')
  await pool.query("update kernel.data_key set active_from = now() - interval '1 s'")
  await later.keys.reload()
  expect(encrypted(later.cipher)).toContain('~parties~2~')
})

test('a process follows the keys of others within seconds, and reads nothing in between', async () => {
  const first = await aProcess('root-2')
  const second = await aProcess('root-2')
  const heartbeat = new Heartbeat(pool, pino({ level: 'silent' }), () => new Date())
  const reload = vi.spyOn(second.keys, 'reload')
  second.keys.follow(heartbeat)
  await eventually(() => reload.mock.calls.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(reload).toHaveBeenCalledTimes(1)
  await first.keys.rotate()
  await eventually(() => reload.mock.calls.length === 2)
  await pool.query("update kernel.data_key set active_from = now() - interval '1 s'")
  await eventually(() => encrypted(second.cipher).includes('~parties~3~'))
  second.keys.close()
  await heartbeat.stop()
})

test('a value is never encrypted before its blind index', async () => {
  await pool.query('delete from kernel.data_key')
  await pool.query('update kernel.head set position = 0')
  const { cipher } = await aProcess('root-1')
  const row = JSON.parse(cipher.encryptRows('parties.party', '{"given_name":"Ada"}')) as Record<
    string,
    string[]
  >
  expect(row['given_name_index']).toHaveLength(3)
  expect(row['given_name_index']).not.toContain('')
  const { rows } = await pool.query<{ isIndexFirst: boolean }>(
    `select i.active_from <= e.active_from as "isIndexFirst" from kernel.data_key i
     join kernel.data_key e using (area, version)
     where i.purpose = 'index' and e.purpose = 'encryption'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { isIndexFirst } of rows) expect(isIndexFirst).toBe(true)
})
