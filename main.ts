import { pino } from 'pino'
import { buildSubgraphs, requireCommitted } from './gateway/compose.ts'
import { createGraph } from './gateway/graph.ts'
import { LocalSource } from './gateway/sources.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './host/embedded-postgres.ts'
import { makeFixtures } from './host/fixtures.ts'
import { migrate } from './host/migrate.ts'
import { openBank } from './host/open-bank.ts'
import { stopOnSignal } from './host/process.ts'
import { loadSecrets, writeCredentials } from './host/secrets.ts'
import { serve, type Served } from './host/serve.ts'
import { parseConfig, type EnvironmentName } from './subgraphs/_kernel/config.ts'

const config = parseConfig(process.env)
const log = pino(
  { level: config.logLevel, serializers: { error: pino.stdSerializers.err } },
  pino.destination(2),
)
/** Apollo Sandbox runs in the browser, from its own address. */
const apolloOrigins = [
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]
const stops: (() => Promise<void>)[] = []

stopOnSignal(
  async () => {
    for (const stop of stops.reverse()) await stop()
  },
  (message, error) => log.fatal({ error }, message),
)

try {
  await start()
} catch (error) {
  for (const stop of stops.reverse()) await stop().catch(() => undefined)
  process.stderr.write(`${(error as Error).message}\n`)
  log.debug({ error }, 'start failed')
  process.exit(1)
}

async function start(): Promise<void> {
  const secrets = await loadSecrets(config.dataDir)
  const environments: { name: EnvironmentName; port: number }[] = [
    { name: 'live', port: config.port },
  ]
  if (config.sandboxPort !== null) environments.push({ name: 'sandbox', port: config.sandboxPort })

  const postgres = await startPostgres(environments.map(({ name }) => name))
  const schemas = buildSubgraphs()
  requireCommitted(schemas)
  const sources = new Map([...schemas].map(([name, schema]) => [name, new LocalSource(schema)]))
  const graph = await createGraph(sources, log)
  stops.push(() => graph.stop())

  const addresses = environments.map(({ port }) => `http://${config.host}:${port}`)
  const served: Served[] = []
  for (const [index, { name, port }] of environments.entries()) {
    const databaseUrl = config.databaseUrls[name] ?? postgres!.url(`bankgraph_${name}`)
    await migrate(databaseUrl)
    const open = await openBank({
      environment: name,
      config,
      databaseUrl,
      address: addresses[index]!,
      secrets: secrets[name],
      graph,
      log,
    })
    if (name === 'sandbox') await makeFixtures(graph, open.bank)
    const origins = name === 'sandbox' ? [...addresses, ...apolloOrigins] : addresses
    const one = await serve({ open, graph, host: config.host, port, origins })
    stops.push(() => one.stop())
    served.push(one)
  }
  const [liveUrl, sandboxUrl = null] = addresses
  await writeCredentials(config.dataDir, secrets, { liveUrl: liveUrl!, sandboxUrl })
  const sandbox = sandboxUrl === null ? 'off' : `${sandboxUrl}/v1`
  process.stdout.write(`ready live=${liveUrl} sandbox=${sandbox}\n`)
}

/** The embedded server, when any environment has no database of its own. */
async function startPostgres(names: readonly EnvironmentName[]): Promise<EmbeddedPostgres | null> {
  const embedded = names.filter((name) => !config.databaseUrls[name])
  if (embedded.length === 0) return null
  const postgres = await startEmbeddedPostgres({
    dataDir: `${config.dataDir}/postgres`,
    log: (line) => log.info({ line }, 'postgres'),
  })
  stops.push(() => postgres.stop())
  for (const name of embedded) await postgres.ensureDatabase(`bankgraph_${name}`)
  return postgres
}
