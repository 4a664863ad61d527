import type { Variables } from './variables.ts'

type UrlByEnvironment = Partial<Record<'live' | 'sandbox', string>>

/** The PostgreSQL databases of the environments. */
export interface DatabaseConfig {
  /** An environment without one uses the embedded PostgreSQL. */
  databaseUrls: UrlByEnvironment
  /**
   * The URLs of PostgreSQL itself, for the environments whose `databaseUrls` are those of a pooler in
   * transaction mode.
   */
  directUrls: UrlByEnvironment
  /** The replicas from which queries may read. */
  readDatabaseUrls: UrlByEnvironment
  /** How far a replica may be behind. */
  readMaxLagMs: number
}

const prefixes = ['', 'SANDBOX_'] as const

/**
 * Returns the databases. Throws an Error that names the setting of a direct URL without the URL of
 * the pooler.
 */
export function databases(variables: Variables): DatabaseConfig {
  for (const prefix of prefixes) {
    if (variables[`${prefix}DATABASE_DIRECT_URL`] && !variables[`${prefix}DATABASE_URL`]) {
      throw new Error(
        `${prefix}DATABASE_DIRECT_URL needs ${prefix}DATABASE_URL, the URL of the pooler.`,
      )
    }
  }
  return {
    databaseUrls: { live: variables.DATABASE_URL, sandbox: variables.SANDBOX_DATABASE_URL },
    directUrls: {
      live: variables.DATABASE_DIRECT_URL,
      sandbox: variables.SANDBOX_DATABASE_DIRECT_URL,
    },
    readDatabaseUrls: {
      live: variables.READ_DATABASE_URL,
      sandbox: variables.SANDBOX_READ_DATABASE_URL,
    },
    readMaxLagMs: variables.READ_MAX_LAG_SECONDS * 1000,
  }
}
