import { databaseOptions, HostClient, type HostOptions } from '../kernel/database/database-hosts.ts'
import { sessionTimeouts } from '../kernel/database/pooler.ts'

/** The database of an environment, and the setting that names it, such as `DATABASE_URL`. */
export interface TimedDatabase {
  setting: string
  databaseUrl: string
  /** Whether the database is reached through a pooler in transaction mode. */
  isPooled: boolean
}

const connectTimeoutMs = 5000

const settingsSql = `
  select name, setting::int as "valueMs", current_user as role, current_database() as database
  from pg_settings where name = any($1)`

/**
 * Throws an Error if sessions of a database have no timeouts, or longer ones than the program relies
 * on. A pooler may drop those that the program sends, and its sessions need timeouts of their own.
 */
export async function requireTimeouts(database: TimedDatabase): Promise<void> {
  const { setting, databaseUrl, isPooled } = database
  const options: HostOptions = {
    ...sessionTimeouts,
    ...databaseOptions(databaseUrl),
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    isPooled,
  }
  const client = new HostClient(options)
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: Error) => {
      if (!error.message.includes('unsupported startup parameter')) throw error
      const message = `${setting}: ${error.message}. ${adviceOnPoolers(setting)}`
      throw new Error(message, { cause: error })
    })
    const { rows } = await client.query<SettingRow>(settingsSql, [Object.keys(sessionTimeouts)])
    // A timeout in the URL is the operator's own.
    const checked = rows.filter(({ name }) => isPooled || !databaseUrl.includes(`${name}=`))
    for (const row of checked) {
      const maxMs = sessionTimeouts[row.name]
      if (row.valueMs < 1 || row.valueMs > maxMs) throw new Error(messageOf(setting, row, isPooled))
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface SettingRow {
  name: keyof typeof sessionTimeouts
  /** 0 if there is no timeout. */
  valueMs: number
  role: string
  database: string
}

function messageOf(setting: string, row: SettingRow, isPooled: boolean): string {
  const { name, valueMs, role, database } = row
  const expected = `it must be from 1 to ${sessionTimeouts[name]} ms`
  const found = `${setting}: ${name} is ${valueMs} ms in the sessions of the database, and ${expected}.`
  if (!isPooled) return `${found} ${adviceOnPoolers(setting)}`
  const assignments = Object.entries(sessionTimeouts).map(([each, ms]) => `${each} = ${ms}`)
  const statements = assignments.map(
    (each) => `alter role "${role}" in database "${database}" set ${each};`,
  )
  return (
    `${found} Set the timeouts in PostgreSQL and reconnect the pooler: ${statements.join(' ')} ` +
    'Or set them in the connect_query of PgBouncer: ' +
    assignments.map((each) => `set ${each};`).join(' ')
  )
}

const adviceOnPoolers = (setting: string) =>
  'A pooler does not pass on the timeouts that the program sends: set ' +
  `${setting.replace(/URL$/, 'DIRECT_URL')} to the URL of PostgreSQL itself.`
