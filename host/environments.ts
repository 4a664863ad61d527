import type { Config, EnvironmentName } from '../subgraphs/_kernel/config.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import type { StartOptions } from './start-options.ts'

/** One environment, before it is opened. */
export interface Environment {
  name: EnvironmentName
  port: number
  /** Where it is reached, and who issues its tokens: `http://127.0.0.1:4000`. */
  address: string
  databaseUrl: string
}

const databaseVariables = { live: 'DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' } as const

/**
 * The environments that the settings ask for, with their databases: the ones named, else embedded.
 * Refuses with an Error a role without a PostgreSQL of its own for which none is named.
 */
export async function prepareEnvironments(options: StartOptions): Promise<Environment[]> {
  const { config, role } = options
  const named = namedEnvironments(config)
  const missing = named.filter(({ name }) => !config.databaseUrls[name]).map(({ name }) => name)
  if (missing.length > 0 && !role.mayEmbedDatabase) {
    const variables = missing.map((name) => databaseVariables[name]).join(' and ')
    throw new Error(
      `${variables} must name the PostgreSQL that all processes share: ` +
        'only a process that runs everything brings its own.',
    )
  }
  const postgres = missing.length > 0 ? await startPostgres(options, missing) : null
  return named.map(({ name, port }) => ({
    name,
    port,
    address: config.publicUrls[name] ?? `http://${config.host}:${port}`,
    databaseUrl: config.databaseUrls[name] ?? postgres!.url(`bankgraph_${name}`),
  }))
}

function namedEnvironments({
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
  const postgres = await startEmbeddedPostgres({
    dataDir: `${config.dataDir}/postgres`,
    log: (line) => log.info({ line }, 'postgres'),
  })
  onStop(() => postgres.stop())
  for (const name of names) await postgres.ensureDatabase(`bankgraph_${name}`)
  return postgres
}
