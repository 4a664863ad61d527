/** The removal of former root secrets: refused as long as anything needs them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootSecretsOf } from '../../host/live-keys.ts'
import { removeFormerRoots } from '../../host/remove-former-roots.ts'
import { rotateKey } from '../../host/rotate-key.ts'
import { loadSecrets, originalSecretOf } from '../../host/secrets.ts'
import { createVault } from '../../kernel/environment/vault.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'

let home: string
let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bankgraph-roots-'))
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
  await rm(home, { recursive: true })
})

test.each(['live', 'sandbox'] as const)(
  '%s: removes a former root that nothing needs',
  async (name) => {
    const dataDir = join(home, name)
    const before = (await loadSecrets(dataDir))[name]
    const remove = (now?: Date) => removeFormerRoots(dataDir, name, database.url, now)
    await expect(remove()).rejects.toThrow('has no former root secret')
    expect(await rotateKey(dataDir, name, 'root')).toContain('--remove-former')
    await expect(remove()).rejects.toThrow('Stored responses can need the former root secret until')

    const later = new Date(Date.now() + 32 * 24 * 3600_000)
    await client.query('delete from kernel.encryption_progress')
    await client.query('delete from kernel.data_key')
    await expect(remove(later)).rejects.toThrow(
      'privacy.reencrypt has not finished with all columns',
    )
    const rotated = (await loadSecrets(dataDir))[name]
    const vault = createVault(rootSecretsOf(rotated, later))
    const progress = (target: string, isDone: boolean) =>
      client.query(
        `insert into kernel.encryption_progress values ('vault a.b', $1, '{}', 1, 1, $2)
       on conflict (table_name) do update set target = $1, finished_at = $2`,
        [target, isDone ? new Date() : null],
      )
    for (const [target, isDone] of [
      [`${vault.currentKeyId}/1`, true],
      [`${vault.currentKeyId}/2`, false],
      [`${createVault(rootSecretsOf(before, later)).currentKeyId}/2`, true],
    ] as const) {
      await progress(target, isDone)
      await expect(remove(later)).rejects.toThrow('privacy.reencrypt has not finished with a.b')
    }
    await progress(`${vault.currentKeyId}/2`, true)
    const wrap = (secrets: typeof before) =>
      client.query(
        `insert into kernel.data_key values ('a', 'index', 1, $1, now())
       on conflict (area, purpose, version) do update set wrapped_key = $1`,
        [createVault(rootSecretsOf(secrets, later)).encrypt('key', 'place')],
      )
    await wrap(before)
    await expect(remove(later)).rejects.toThrow('privacy.encrypt-stored has not finished')
    await wrap(rotated)
    expect((await loadSecrets(dataDir))[name]).toEqual(rotated)

    expect(await remove(later)).toContain('Removed 1 former root secrets.')
    const after = (await loadSecrets(dataDir))[name]
    expect(rootSecretsOf(after, later).known).toEqual([rotated.cookieKey])
    if (name === 'sandbox') expect(originalSecretOf(after)).toBe(originalSecretOf(before))
    else expect(JSON.stringify(after)).not.toContain(before.cookieKey)
  },
)
