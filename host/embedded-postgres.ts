import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { openPrivateFolder, readIfPresent, writePrivateFile } from './files.ts'
import { acquireFolder } from './folder-owner.ts'
import { clusterRole, endOrphan, openCluster, type Cluster } from './postgres-cluster.ts'
import {
  StartFailed,
  startPostmaster,
  type Postmaster,
  type PostmasterOptions,
} from './postmaster.ts'

/** A PostgreSQL server that runs as long as this process. */
export interface EmbeddedPostgres {
  /**
   * Returns the connection string of a database. The database need not exist yet. The string stays
   * the same while the server runs, even after a restart.
   */
  url(database: string): string
  /** Creates the database if it does not exist. Returns whether it was created. */
  ensureDatabase(name: string): Promise<boolean>
  /**
   * Returns the process ID of the server, which changes when the server crashes and is restarted.
   */
  pid(): number
  /** Closes all connections, shuts the server down cleanly and releases the data folder. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /**
   * The folder of the server, which contains the cluster, its password, its port and its owner
   * file.
   */
  dataDir: string
  log: (line: string) => void
  /**
   * If false, as in tests, nothing is synced to disk, so a crash of the machine can lose all data.
   * Default: true.
   */
  isDurable?: boolean
  /**
   * Whether `dataDir` is deleted if this process dies without stopping the server. Default: false.
   */
  isTemporary?: boolean
  settings?: Record<string, string>
  /** How long the server may take to accept connections. Default: a minute. */
  startTimeoutMs?: number
}

/** Settings for a laptop. The settings for durability are PostgreSQL's strict defaults. */
const laptopSettings = {
  listen_addresses: '127.0.0.1',
  // Relative to the cluster folder, which only its owner can enter.
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

/** The limit of macOS for the path of a Unix socket, in bytes. Linux allows 107. */
const maxSocketPathLength = 103

const undurableSettings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts PostgreSQL on `dataDir`, which is created on first use. If the server crashes, it is
 * restarted at the same address. If this process runs as root, the server runs under an
 * unprivileged account.
 * Throws an Error if another running process uses the folder. Leftovers of a process that has ended
 * are removed.
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
  const owner = await acquireFolder(dataDir)
  try {
    const cluster = await openCluster(dataDir, isDurable)
    await endOrphan(cluster)
    const settings = {
      ...laptopSettings,
      ...(isDurable ? {} : undurableSettings),
      ...options.settings,
    }
    const removeAfterCrash = options.isTemporary ? dataDir : undefined
    const { log, startTimeoutMs } = options
    const commonOptions = { settings, log, removeAfterCrash, startTimeoutMs }
    const { port, firstServer } = await startOnFreePort(cluster, dataDir, commonOptions)
    const start = () => startWithRetries(cluster, { ...commonOptions, port })
    const server = superviseServer(firstServer, start, options.log)
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

/**
 * Starts the server on a free port. Tries up to five ports, because another process may take the
 * chosen one in the meantime.
 */
async function startOnFreePort(
  cluster: Cluster,
  dataDir: string,
  commonOptions: Omit<PostmasterOptions, 'port'>,
): Promise<{ port: number; firstServer: Postmaster }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(dataDir)
    try {
      return { port, firstServer: await startWithRetries(cluster, { ...commonOptions, port }) }
    } catch (error) {
      const isTaken = error instanceof StartFailed && error.output.includes('could not bind')
      if (!isTaken || attempt === 5) throw error
    }
  }
}

/**
 * Returns the connection string of the server that another process runs in a folder. Throws an Error
 * if none was started there.
 */
export async function urlOfRunningServer(dataDir: string, database: string): Promise<string> {
  const port = await readIfPresent(join(dataDir, 'port'))
  const identity = await readIfPresent(join(dataDir, 'server.json'))
  if (port === null || identity === null) throw new Error(`${dataDir} has no database.`)
  const { password } = JSON.parse(identity) as { password: string }
  return `postgresql://${clusterRole}:${password}@127.0.0.1:${port.trim()}/${database}`
}

/**
 * Returns the connection string. The connection uses the Unix socket, which saves a quarter of the
 * CPU time of a short query, or TCP if the path of the socket is too long.
 */
function connectionString({ folder, password }: Cluster, port: number, database: string) {
  const address = `127.0.0.1:${port}/${encodeURIComponent(database)}`
  const url = `postgresql://${clusterRole}:${password}@${address}`
  const isShortEnough = Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= maxSocketPathLength
  return isShortEnough ? `${url}?host=${encodeURIComponent(folder)}` : url
}

/**
 * Starts the server and retries for up to 10 s, because backends of a killed server block a new one
 * until they have ended.
 */
async function startWithRetries(cluster: Cluster, options: PostmasterOptions) {
  for (const deadline = Date.now() + 10_000; ;) {
    try {
      return await startPostmaster(cluster, options)
    } catch (error) {
      const isTemporaryFailure =
        error instanceof StartFailed && /shared memory|lock file/.test(error.output)
      if (!isTemporaryFailure || Date.now() > deadline) throw error
      await sleep(100)
      await endOrphan(cluster)
    }
  }
}

function superviseServer(
  firstServer: Postmaster,
  start: () => Promise<Postmaster>,
  log: (line: string) => void,
) {
  let isStopping = false
  let server = firstServer
  const watch = async () => {
    for (let failures = 0; ;) {
      await server.exited
      if (isStopping) return
      log('The database server ended unexpectedly and is restarted.')
      try {
        server = await start()
        failures = 0
        // `stop` was called during the restart.
        if (isStopping) await server.stop()
      } catch (error) {
        failures += 1
        log(`The database server could not be restarted. ${String(error)}`)
        await sleep(Math.min(100 * 2 ** failures, 5_000), null, { ref: false })
      }
    }
  }
  const watcher = watch()
  return {
    pid: () => server.pid,
    stop: async () => {
      isStopping = true
      await server.stop()
      // A restart may be in progress; the server that it starts must also be stopped.
      await watcher
    },
  }
}

/**
 * Returns the port of the previous start if it is free, or else the next free port, starting from
 * one derived from the folder. The port is stored for the next start.
 */
async function choosePort(dataDir: string): Promise<number> {
  const path = join(dataDir, 'port')
  const previousPort = Number(await readIfPresent(path))
  // The range from 20000 to 29999 is below the range of ephemeral ports.
  const preferredPort =
    20_000 + (createHash('sha256').update(dataDir).digest().readUInt16BE() % 10_000)
  const candidates = Array.from({ length: 200 }, (_, index) => preferredPort + index)
  if (previousPort > 0) candidates.unshift(previousPort)
  for (const port of candidates) {
    if (!(await isFree(port))) continue
    if (port !== previousPort) await writePrivateFile(path, `${port}\n`)
    return port
  }
  throw new Error(
    `No port from ${preferredPort} to ${preferredPort + candidates.length - 1} is free for the database. Free one, or set DATABASE_URL.`,
  )
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
