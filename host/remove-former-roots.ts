import { join } from 'node:path'
import { databaseOptions, HostClient } from '../kernel/database/database-hosts.ts'
import type { EnvironmentName } from '../kernel/environment/config.ts'
import { createVault, type Vault } from '../kernel/environment/vault.ts'
import { withFileLock } from './file-lock.ts'
import { readIfPresent, writePrivateFile } from './files.ts'
import { fileKeyStore, type KeyStore } from './key-store.ts'
import { rootSecretsOf } from './live-keys.ts'
import { decodeSecrets, parseSecrets } from './secrets-file.ts'

/** How long a stored response can contain a text of the former root secret. */
const responseMs = 31 * 24 * 3600_000

const openColumnsSql = `
  select table_name as name from kernel.encryption_progress
  where table_name like 'vault %' and (target <> $1 or finished_at is null) order by 1`
const startedSql = `
  select count(*)::int as count from kernel.encryption_progress where table_name like 'vault %'`
const dataKeysSql = 'select wrapped_key as "wrappedKey" from kernel.data_key'

/**
 * Removes the former root secrets of an environment from the file of secrets, and returns what
 * happened, as a sentence. Throws an Error that says what still needs them.
 */
export async function removeFormerRoots(
  dataDir: string,
  name: EnvironmentName,
  databaseUrl: string,
  now = new Date(),
  store: KeyStore = fileKeyStore,
): Promise<string> {
  const path = join(dataDir, 'secrets.json')
  return withFileLock(path, async () => {
    const storedSecrets = parseSecrets(path, (await readIfPresent(path)) ?? '')
    const stored = storedSecrets[name]
    const former = stored.formerCookieKeys ?? []
    if (former.length === 0) throw new Error(`The ${name} environment has no former root secret.`)
    const freeAt = new Date(Date.parse(stored.cookieKeyFrom!) + responseMs)
    if (freeAt > now) {
      throw new Error(
        `Stored responses can need the former root secret until ${freeAt.toISOString()}.`,
      )
    }
    await requireReencrypted(
      databaseUrl,
      createVault(rootSecretsOf(decodeSecrets(storedSecrets, store)[name], now)),
    )
    // The sample people of the sandbox keep their passwords.
    if (name === 'sandbox') stored.peopleKey ??= former.at(-1)!.key
    delete stored.formerCookieKeys
    await writePrivateFile(path, `${JSON.stringify(storedSecrets, null, 2)}\n`)
    return `Removed ${former.length} former root secrets. Backups of the database from before still need them.`
  })
}

/** Throws an Error if the database contains texts that need a former key. */
async function requireReencrypted(databaseUrl: string, vault: Vault): Promise<void> {
  const client = new HostClient(databaseOptions(databaseUrl))
  // An unhandled 'error' event would end the process. The next query fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows: started } = await client.query<{ count: number }>(startedSql)
    const target = `${vault.currentKeyId}/2`
    const { rows: open } = await client.query<{ name: string }>(openColumnsSql, [target])
    if (started[0]!.count === 0 || open.length > 0) {
      const names = open.map((each) => each.name.replace('vault ', '')).join(', ') || 'all columns'
      throw new Error(`The job privacy.reencrypt has not finished with ${names}.`)
    }
    const { rows: keys } = await client.query<{ wrappedKey: string }>(dataKeysSql)
    if (keys.every(({ wrappedKey }) => vault.isCurrent(wrappedKey))) return
    throw new Error('The job privacy.encrypt-stored has not finished with the data keys.')
  } finally {
    await client.end()
  }
}
