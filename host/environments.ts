import type { Config, EnvironmentName } from '../kernel/environment/config.ts'
import { Archive, archiveSettings } from './backup/archive.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import type { StartOptions } from './start-options.ts'

/** An environment that is configured but not open yet. */
export interface Environment {
  name: EnvironmentName
  port: number
  /**
   * The origin of the environment, such as `http://127.0.0.1:4000`. It is also the issuer of its
   * tokens.
   */
  address: string
  databaseUrl: string
  /** The URL of PostgreSQL itself, if `databaseUrl` is that of a pooler in transaction mode. */
  directUrl: string | undefined
}

/** The settings with the URLs of the databases. */
export const databaseVariables = { live: 'DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' } as const
/** The settings with the URLs of PostgreSQL itself, past a pooler. */
export const directVariables = {
  live: 'DATABASE_DIRECT_URL',
  sandbox: 'SANDBOX_DATABASE_DIRECT_URL',
} as const

/**
 * Returns the environments with their databases: the configured database, or else an embedded one.
 * Throws an Error if a database is not configured and this role cannot run the embedded PostgreSQL.
 */
export async function prepareEnvironments(options: StartOptions): Promise<Environment[]> {
  const { config, role } = options
  const environments = configuredEnvironments(config)
  const namesWithoutUrl = environments
    .filter(({ name }) => !config.databaseUrls[name])
    .map(({ name }) => name)
  if (namesWithoutUrl.length > 0 && !role.mayEmbedDatabase) {
    const variables = namesWithoutUrl.map((name) => databaseVariables[name]).join(' and ')
    throw new Error(
      `${variables} must be set to the URL of the PostgreSQL that all processes share: ` +
        'only a process with the role "all" can use the embedded one.',
    )
  }
  const postgres = namesWithoutUrl.length > 0 ? await startPostgres(options, namesWithoutUrl) : null
  return environments.map(({ name, port }) => ({
    name,
    port,
    address: config.publicUrls[name] ?? `http://${config.host}:${port}`,
    databaseUrl: config.databaseUrls[name] ?? postgres!.url(`bankgraph_${name}`),
    directUrl: config.directUrls[name],
  }))
}

function configuredEnvironments({
  port,
  sandboxPort,
}: Config): { name: EnvironmentName; port: number }[] {
  const live = { name: 'live', port } as const
  return sandboxPort === null ? [live] : [live, { name: 'sandbox', port: sandboxPort }]
}

async function startPostgres(
  { config, log, onStop }: StartOptions,
  names: readonly EnvironmentName[],
): Promise<EmbeddedPostgres> {
  const { backup, dataDir } = config
  const archive = backup && new Archive(dataDir, backup, log)
  await archive?.requireOwnBackup()
  // Stop functions run in reverse order: the database completes its last WAL segment first.
  if (archive) onStop(() => archive.stop())
  const postgres = await startEmbeddedPostgres({
    dataDir: `${dataDir}/postgres`,
    log: (line) => log.info({ line }, 'postgres'),
    ...(archive && { settings: archiveSettings() }),
  })
  onStop(() => postgres.stop())
  archive?.start()
  for (const name of names) await postgres.ensureDatabase(`bankgraph_${name}`)
  return postgres
}
