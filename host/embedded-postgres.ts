import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { openPrivateFolder, readIfPresent, writePrivateFile } from './files.ts'
import { ownFolder } from './folder-owner.ts'
import { clusterRole, endOrphan, openCluster, type Cluster } from './postgres-cluster.ts'
import {
  StartRefused,
  startPostmaster,
  type Postmaster,
  type PostmasterOptions,
} from './postmaster.ts'

/** A real PostgreSQL that lives and dies with this process. */
export interface EmbeddedPostgres {
  /** The connection string of a database, whether or not it exists. The same for the server's whole life. */
  url(database: string): string
  /** Creates the database when there is none. Says whether it did. */
  ensureDatabase(name: string): Promise<boolean>
  /** The process of the server now; another one after the server crashed and was restarted. */
  pid(): number
  /** Disconnects everyone, writes everything down and gives the folder free. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Belongs to this server alone: the cluster, its password, its port and its owner's mark. */
  dataDir: string
  log: (line: string) => void
  /** `false` is for tests: nothing is synced, a crash of the machine may lose everything. */
  isDurable?: boolean
  /** Removes `dataDir` when this process dies without stopping the server. */
  isTemporary?: boolean
  settings?: Record<string, string>
}

/** For a laptop. Durability stays at PostgreSQL's own strict defaults. */
const laptopSettings = {
  listen_addresses: '127.0.0.1',
  // Relative to the cluster, which nobody else may enter.
  unix_socket_directories: '.',
  max_connections: '100',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  max_wal_size: '1GB',
  min_wal_size: '128MB',
  random_page_cost: '1.1',
  io_method: 'sync',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** What macOS allows, the strictest; Linux has 107 bytes. */
const longestSocketPath = 103

const carelessSettings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts PostgreSQL on `dataDir`, which is created on first use, and keeps it running: a server that
 * crashes is started again at the same address. As root it runs as an unprivileged account. Refuses
 * a folder that another living process uses; what a dead one left behind is cleared away.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new Error('On Windows, run inside WSL, or set DATABASE_URL and SANDBOX_DATABASE_URL.')
  }
  const dataDir = resolve(options.dataDir)
  const isDurable = options.isDurable ?? true
  await openPrivateFolder(dataDir)
  const owner = await ownFolder(dataDir)
  try {
    const cluster = await openCluster(dataDir, isDurable)
    await endOrphan(cluster)
    const settings = {
      ...laptopSettings,
      ...(isDurable ? {} : carelessSettings),
      ...options.settings,
    }
    const removeAfterCrash = options.isTemporary ? dataDir : undefined
    const fixed = { settings, log: options.log, removeAfterCrash }
    const { port, first } = await firstStart(cluster, dataDir, fixed)
    const start = () => startPatiently(cluster, { ...fixed, port })
    const server = keepRunning(first, start, options.log)
    const url = (database: string) => connectionString(cluster, port, database)
    return {
      url,
      pid: server.pid,
      ensureDatabase: (name) => ensureDatabase(url('postgres'), name),
      stop: async () => {
        await server.stop()
        await owner.release()
      },
    }
  } catch (error) {
    await owner.release()
    throw error
  }
}

/** Another process may take the chosen port before the server does: then the next one is tried. */
async function firstStart(
  cluster: Cluster,
  dataDir: string,
  fixed: Omit<PostmasterOptions, 'port'>,
): Promise<{ port: number; first: Postmaster }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(dataDir)
    try {
      return { port, first: await startPatiently(cluster, { ...fixed, port }) }
    } catch (error) {
      const isTaken = error instanceof StartRefused && error.output.includes('could not bind')
      if (!isTaken || attempt === 5) throw error
    }
  }
}

/** A Unix socket saves a quarter of the CPU of a short query; the TCP address stands in it as well. */
function connectionString({ folder, password }: Cluster, port: number, database: string) {
  const address = `127.0.0.1:${port}/${encodeURIComponent(database)}`
  const url = `postgresql://${clusterRole}:${password}@${address}`
  const isShortEnough = Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocketPath
  return isShortEnough ? `${url}?host=${encodeURIComponent(folder)}` : url
}

/** Backends of a killed server take a moment to notice; until then a new one is refused. */
async function startPatiently(cluster: Cluster, options: PostmasterOptions) {
  for (const until = Date.now() + 10_000; ;) {
    try {
      return await startPostmaster(cluster, options)
    } catch (error) {
      const isPassing =
        error instanceof StartRefused && /shared memory|lock file/.test(error.output)
      if (!isPassing || Date.now() > until) throw error
      await sleep(100)
      await endOrphan(cluster)
    }
  }
}

function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  log: (line: string) => void,
) {
  let isStopping = false
  let server = first
  const watch = async () => {
    for (let failures = 0; ;) {
      await server.exited
      if (isStopping) return
      log('The database server ended unexpectedly and is started again.')
      try {
        server = await start()
        failures = 0
        // Nobody wants it any more.
        if (isStopping) await server.stop()
      } catch (error) {
        failures += 1
        log(`The database server could not be started again. ${String(error)}`)
        await sleep(Math.min(100 * 2 ** failures, 5_000), null, { ref: false })
      }
    }
  }
  const watching = watch()
  return {
    pid: () => server.pid,
    stop: async () => {
      isStopping = true
      await server.stop()
      // A restart may be under way: what it starts is stopped as well.
      await watching
    },
  }
}

/** The port of the last time when it is free, else the next free one from a place of the folder's own. */
async function choosePort(dataDir: string): Promise<number> {
  const path = join(dataDir, 'port')
  const last = Number(await readIfPresent(path))
  // Below the range that systems give to outgoing connections.
  const own = 20_000 + (createHash('sha256').update(dataDir).digest().readUInt16BE() % 10_000)
  const candidates = Array.from({ length: 200 }, (_, index) => own + index)
  if (last > 0) candidates.unshift(last)
  for (const port of candidates) {
    if (!(await isFree(port))) continue
    if (port !== last) await writePrivateFile(path, `${port}\n`)
    return port
  }
  throw new Error(`No free port for the database from ${own} on.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

async function ensureDatabase(adminUrl: string, name: string): Promise<boolean> {
  const client = new Client(adminUrl)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount) return false
    await client.query(`create database ${escapeIdentifier(name)}`)
    return true
  } finally {
    await client.end()
  }
}
