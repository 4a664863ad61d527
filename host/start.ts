import { setTimeout as sleep } from 'node:timers/promises'
import { buildSubgraphsInSteps, requireCommitted } from '../gateway/compose.ts'
import { createGraph, type Graph } from '../gateway/graph.ts'
import { followSecretFiles, type EnvironmentName } from '../kernel/environment/config.ts'
import { signingKeys } from '../kernel/environment/signed-envelope.ts'
import type { Source } from '../gateway/sources.ts'
import { subgraphs } from '../subgraphs/index.ts'
import {
  databaseVariables,
  directVariables,
  prepareEnvironments,
  type Environment,
} from './environments.ts'
import { seedFixtures } from './fixtures.ts'
import { migrate } from './migrate.ts'
import { openBank, type OpenBank } from './open-bank.ts'
import { thisRelease } from './releases.ts'
import { requireSameDatabase } from './require-same-database.ts'
import { requireTimeouts } from './require-timeouts.ts'
import type { Role } from './role.ts'
import { followSecrets } from './follow-secrets.ts'
import { LiveKeys } from './live-keys.ts'
import type { Secrets } from './environment-secrets.ts'
import { servePrivateMetrics } from './metrics/serve-metrics.ts'
import { openKeyStore } from './pkcs11.ts'
import { loadSecrets, writeCredentials } from './secrets.ts'
import { serve, type ServedEnvironment } from './serve.ts'
import { serveSubgraphs } from './serve-subgraphs.ts'
import { createSources } from './sources.ts'
import type { StartOptions } from './start-options.ts'
import { waitForDatabase } from './wait-for-database.ts'
import { webAppsOf } from './web-apps.ts'

interface OpenedEnvironment {
  environment: Environment
  open: OpenBank
}

const fixtureRetryMs = 1000

/**
 * Starts this process's part of the platform. Returns the line that reports that the process is
 * ready, with its URLs.
 */
export async function start(options: StartOptions): Promise<string> {
  const { config, role, log, onStop } = options
  const store = await openKeyStore(config)
  onStop(async () => store.close())
  const secrets = await loadSecrets(config.dataDir, store)
  const [environments, schemas] = await Promise.all([
    prepareEnvironments(options),
    buildSubgraphsInSteps(),
  ])
  await requireCommitted(schemas)
  const keys = { live: new LiveKeys(secrets.live), sandbox: new LiveKeys(secrets.sandbox) }
  const sources = createSources(options, schemas, environments, keys, store)
  const graph = await createGraph(sources, log)
  onStop(() => graph.stop())
  const openedEnvironments: OpenedEnvironment[] = []
  for (const environment of environments) {
    const { name: environmentName, databaseUrl, address } = environment
    await prepareDatabase(options, environment)
    const open = await openBank({
      environment: environmentName,
      config,
      databaseUrl,
      address,
      secrets: secrets[environmentName],
      keys: keys[environmentName],
      store,
      graph,
      log,
    })
    openedEnvironments.push({ environment, open })
  }
  const useSecrets = async (latest: Secrets) => {
    followSecretFiles(config)
    for (const { environment, open } of openedEnvironments) {
      await open.useSecrets(latest[environment.name])
    }
    if (role.hasGateway) await publishCredentials(options, openedEnvironments, latest)
  }
  onStop(followSecrets(config.dataDir, useSecrets, log, store))
  if (config.metrics) {
    const banks = openedEnvironments.map(({ open }) => open.bank)
    onStop((await servePrivateMetrics(config.metrics, banks)).stop)
  }
  return role.hasGateway
    ? startGateway(options, openedEnvironments, graph, secrets)
    : startSubgraphs(options, openedEnvironments, sources, keys)
}

/** Waits for a database, checks its sessions and migrates it. */
async function prepareDatabase({ config, log }: StartOptions, environment: Environment) {
  const { name, databaseUrl, directUrl } = environment
  const setting = databaseVariables[name]
  const wait = { waitMs: config.databaseWaitMs, log }
  await waitForDatabase({ ...wait, setting, databaseUrl })
  if (directUrl) {
    const direct = { setting: directVariables[name], databaseUrl: directUrl }
    await waitForDatabase({ ...wait, ...direct })
    await requireSameDatabase({ setting, databaseUrl }, direct)
  }
  await requireTimeouts({ setting, databaseUrl, isPooled: directUrl !== undefined })
  const { newerRelease } = await migrate(directUrl ?? databaseUrl)
  if (newerRelease) {
    const about = { environment: name, newerRelease, release: thisRelease.version }
    log.warn(about, 'a newer release has migrated the database; this release works with it')
  }
}

async function startGateway(
  options: StartOptions,
  openedEnvironments: readonly OpenedEnvironment[],
  graph: Graph,
  secrets: Secrets,
): Promise<string> {
  const { config, role, onStop, onDrain } = options
  const servers: ServedEnvironment[] = []
  onStop(async () => void (await Promise.all(servers.map((server) => server.stop()))))
  const addresses = openedEnvironments.map(({ environment }) => environment.address)
  const hasAllSubgraphs = role.subgraphs.length === subgraphs.length
  for (const { environment, open } of openedEnvironments) {
    const { name, port } = environment
    if (name === 'sandbox' && hasAllSubgraphs) await seedFixtures(graph, open.bank)
    const workers = workersOf(role)
    // Pages of the sandbox must not call live: a script injected into such a page could then act in
    // live.
    const allowedOrigins = name === 'live' ? [environment.address] : addresses
    const served = await serve({
      open,
      graph,
      host: config.host,
      port,
      allowedOrigins: allowedOrigins,
      workers,
    })
    servers.push(served)
    onDrain(served.drain)
    if (name === 'sandbox' && !hasAllSubgraphs) seedWhenPossible(options, graph, open)
  }
  const { liveUrl, sandboxUrl } = await publishCredentials(options, openedEnvironments, secrets)
  return `ready live=${liveUrl} sandbox=${sandboxUrl === null ? 'off' : `${sandboxUrl}/v1`}`
}

/** Writes `credentials.json` if it changed, and returns the URLs of the environments. */
async function publishCredentials(
  { config }: StartOptions,
  openedEnvironments: readonly OpenedEnvironment[],
  secrets: Secrets,
) {
  const [liveUrl, sandboxUrl = null] = openedEnvironments.map((each) => each.environment.address)
  const urls = { liveUrl: liveUrl!, sandboxUrl }
  const apps = webAppsOf(config, 'sandbox')
  await writeCredentials(config.dataDir, secrets, urls, apps, config.securityProfile)
  return urls
}

async function startSubgraphs(
  { config, role, onStop, onDrain }: StartOptions,
  openedEnvironments: readonly OpenedEnvironment[],
  sources: ReadonlyMap<string, Source>,
  keys: Readonly<Record<EnvironmentName, LiveKeys>>,
): Promise<string> {
  const served = await serveSubgraphs({
    sources: new Map(role.subgraphs.map((name) => [name, sources.get(name)!])),
    environments: openedEnvironments.map(({ environment, open }) => ({
      open,
      signingKeys: signingKeys(keys[environment.name].ring),
    })),
    port: config.subgraphPort,
    workers: workersOf(role),
  })
  onStop(() => served.stop())
  onDrain(served.drain)
  const urls = role.subgraphs.map(
    (name) => `${name}=http://127.0.0.1:${served.port}/${name}/graphql`,
  )
  return `ready ${urls.join(' ')}`
}

/** Returns the workers of the subgraphs that run in this process. */
function workersOf(role: Role) {
  const localSubgraphs = subgraphs.filter(({ name }) => role.subgraphs.includes(name))
  return localSubgraphs.flatMap(({ workers }) => workers)
}

/** Seeds the sandbox. Retries until the subgraphs of other processes are available. */
function seedWhenPossible({ log, onStop }: StartOptions, graph: Graph, { bank }: OpenBank) {
  const stopController = new AbortController()
  const seeding = (async () => {
    while (!stopController.signal.aborted) {
      try {
        return await seedFixtures(graph, bank)
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'the sandbox is not seeded yet')
        await sleep(fixtureRetryMs, undefined, { signal: stopController.signal }).catch(
          () => undefined,
        )
      }
    }
  })()
  onStop(async () => {
    stopController.abort()
    await seeding
  })
}
