import { databaseOptions, HostClient, type HostOptions } from '../kernel/database/database-hosts.ts'
import { identityOf } from '../kernel/database/identity.ts'

const connectTimeoutMs = 5000

/** A URL of a database, and the setting with the URL. */
export interface NamedDatabase {
  setting: string
  databaseUrl: string
}

/**
 * Throws an Error that names both settings if a pooler leads to another database than the direct URL:
 * what is committed past the pooler would be missing behind it.
 */
export async function requireSameDatabase(
  pooled: NamedDatabase,
  direct: NamedDatabase,
): Promise<void> {
  const [behind, past] = await Promise.all([
    identityBehind({ ...databaseOptions(pooled.databaseUrl), isPooled: true }),
    identityBehind(databaseOptions(direct.databaseUrl)),
  ])
  if (behind !== past) {
    throw new Error(`${pooled.setting} and ${direct.setting} must lead to the same database.`)
  }
}

async function identityBehind(options: HostOptions): Promise<string> {
  const timeouts = { connectionTimeoutMillis: connectTimeoutMs, query_timeout: connectTimeoutMs }
  const client = new HostClient({ ...options, ...timeouts })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await identityOf(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
