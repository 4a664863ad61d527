import { setTimeout as sleep } from 'node:timers/promises'
import { buildSubgraphs, requireCommitted } from '../gateway/compose.ts'
import { createGraph, type Graph } from '../gateway/graph.ts'
import type { Source } from '../gateway/sources.ts'
import { subgraphs } from '../subgraphs/index.ts'
import { prepareEnvironments, type Environment } from './environments.ts'
import { makeFixtures } from './fixtures.ts'
import { migrate } from './migrate.ts'
import { openBank, type OpenBank } from './open-bank.ts'
import type { Role } from './role.ts'
import { loadSecrets, writeCredentials, type Secrets } from './secrets.ts'
import { serve } from './serve.ts'
import { serveSubgraphs } from './serve-subgraphs.ts'
import { createSources, sealingKeyOf } from './sources.ts'
import type { StartOptions } from './start-options.ts'
import { webAppsOf } from './web-apps.ts'

interface Opened {
  environment: Environment
  open: OpenBank
}

const fixtureRetryMs = 1000

/** Starts this process's part of the platform. Promises the line that says where it is. */
export async function start(options: StartOptions): Promise<string> {
  const { config, role, log, onStop } = options
  const secrets = await loadSecrets(config.dataDir)
  const environments = await prepareEnvironments(options)
  const schemas = buildSubgraphs()
  requireCommitted(schemas)
  const sources = createSources(options, schemas, environments, secrets)
  const graph = await createGraph(sources, log)
  onStop(() => graph.stop())
  const opened: Opened[] = []
  for (const environment of environments) {
    const { name: environmentName, databaseUrl, address } = environment
    await migrate(databaseUrl)
    const open = await openBank({
      environment: environmentName,
      config,
      databaseUrl,
      address,
      secrets: secrets[environmentName],
      graph,
      log,
    })
    opened.push({ environment, open })
  }
  return role.hasGateway
    ? startGateway(options, opened, graph, secrets)
    : startSubgraphs(options, opened, sources, secrets)
}

async function startGateway(
  options: StartOptions,
  opened: readonly Opened[],
  graph: Graph,
  secrets: Secrets,
): Promise<string> {
  const { config, role, onStop } = options
  const addresses = opened.map(({ environment }) => environment.address)
  const isWhole = role.subgraphs.length === subgraphs.length
  for (const { environment, open } of opened) {
    const { name, port } = environment
    if (name === 'sandbox' && isWhole) await makeFixtures(graph, open.bank)
    const workers = workersOf(role)
    // Pages of the sandbox do not call live: whoever runs a script there would run it here.
    const pages = name === 'live' ? [environment.address] : addresses
    const served = await serve({ open, graph, host: config.host, port, addresses: pages, workers })
    onStop(() => served.stop())
    if (name === 'sandbox' && !isWhole) furnishWhenPossible(options, graph, open)
  }
  const [liveUrl, sandboxUrl = null] = addresses
  const urls = { liveUrl: liveUrl!, sandboxUrl }
  await writeCredentials(config.dataDir, secrets, urls, webAppsOf(config, 'sandbox'))
  return `ready live=${liveUrl} sandbox=${sandboxUrl === null ? 'off' : `${sandboxUrl}/v1`}`
}

async function startSubgraphs(
  { config, role, onStop }: StartOptions,
  opened: readonly Opened[],
  sources: ReadonlyMap<string, Source>,
  secrets: Secrets,
): Promise<string> {
  const served = await serveSubgraphs({
    sources: new Map(role.subgraphs.map((name) => [name, sources.get(name)!])),
    environments: opened.map(({ environment, open }) => ({
      open,
      sealingKey: sealingKeyOf(secrets, environment),
    })),
    port: config.subgraphPort,
    workers: workersOf(role),
  })
  onStop(() => served.stop())
  const urls = role.subgraphs.map(
    (name) => `${name}=http://127.0.0.1:${served.port}/${name}/graphql`,
  )
  return `ready ${urls.join(' ')}`
}

/** Work runs where its subgraph runs. */
function workersOf(role: Role) {
  const here = subgraphs.filter(({ name }) => role.subgraphs.includes(name))
  return here.flatMap(({ workers }) => workers)
}

/** Nothing says that subgraphs elsewhere are up: the fixtures are tried until they are. */
function furnishWhenPossible({ log, onStop }: StartOptions, graph: Graph, { bank }: OpenBank) {
  const stopping = new AbortController()
  const trying = (async () => {
    while (!stopping.signal.aborted) {
      try {
        return await makeFixtures(graph, bank)
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'the sandbox is not furnished yet')
        await sleep(fixtureRetryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  })()
  onStop(async () => {
    stopping.abort()
    await trying
  })
}
