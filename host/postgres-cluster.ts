import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent, writePrivateFile } from './files.ts'
import { postgresAccount, postgresBinaries, type Account } from './postgres-account.ts'
import { commandLine } from './process-identity.ts'

/** A PostgreSQL data directory, with its programs and the account that runs them. */
export interface Cluster {
  folder: string
  binaries: string
  account: Account
  /** An ID in the server's command line, which distinguishes the server from other processes. */
  id: string
  password: string
}

/** The database role that owns everything in an embedded cluster. */
export const clusterRole = 'bankgraph'

const majorVersion = '18'

/**
 * Opens the cluster in `dataDir`, which is created on first use. Throws an Error if the cluster is
 * not of this program's major version, or if its password file is missing or invalid.
 */
export async function openCluster(dataDir: string, isDurable: boolean): Promise<Cluster> {
  const folder = join(dataDir, 'cluster')
  const account = await postgresAccount(folder)
  const binaries = await postgresBinaries(account)
  const version = await readIfPresent(join(folder, 'PG_VERSION'))
  const { id, password } = await openIdentity(join(dataDir, 'server.json'), version !== null)
  const cluster = { folder, binaries, account, id, password }
  if (version === null) await createCluster(dataDir, cluster, isDurable)
  else if (version.trim() !== majorVersion) {
    throw new Error(
      `${folder} was created by PostgreSQL ${version.trim()}; this program contains ${majorVersion}. ` +
        'Migrate the data with pg_dump, or start with another DATA_DIR.',
    )
  }
  return cluster
}

async function openIdentity(path: string, hasCluster: boolean) {
  const text = await readIfPresent(path)
  if (text === null && hasCluster) {
    throw new Error(`${path} with the password of the database is missing. Restore it.`)
  }
  if (text === null) {
    const identityFile = {
      id: `bankgraph-${randomBytes(8).toString('hex')}`,
      password: randomBytes(24).toString('base64url'),
    }
    await writePrivateFile(path, `${JSON.stringify(identityFile, null, 2)}\n`)
    return identityFile
  }
  const { id, password } = parseJson(path, text)
  if (typeof id === 'string' && typeof password === 'string') return { id, password }
  throw new Error(`${path} contains no database password. Restore the file; it was not changed.`)
}

function parseJson(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (cause) {
    throw new Error(`${path} is not valid JSON. Restore the file; it was not changed.`, { cause })
  }
}

/**
 * Creates the cluster under a temporary name and renames it, so that an incomplete cluster is never
 * used.
 */
async function createCluster(dataDir: string, cluster: Cluster, isDurable: boolean) {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('new-')) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  await requireNoCluster(cluster.folder)
  const draft = await mkdtemp(join(dataDir, 'new-'))
  const draftFolder = join(draft, 'cluster')
  await mkdir(draftFolder, { mode: 0o700 })
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 })
  const { uid, gid } = cluster.account
  if (uid !== undefined && gid !== undefined) {
    await chown(draftFolder, uid, gid)
    await chown(passwordFile, uid, gid)
  }
  await initdb({ ...cluster, folder: draftFolder }, passwordFile, isDurable)
  await rename(draftFolder, cluster.folder)
  await rm(draft, { recursive: true })
}

/**
 * Throws an Error if the folder, which has no version file, is not empty. Clusters are complete
 * when they are created, so such a folder was damaged later and may contain the only data of a
 * bank.
 */
async function requireNoCluster(folder: string) {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length === 0) return
  throw new Error(
    `${join(folder, 'PG_VERSION')} is missing. The folder was not changed: restore it, ` +
      'or start with another DATA_DIR.',
  )
}

async function initdb(cluster: Cluster, passwordFile: string, isDurable: boolean) {
  const flags = [
    `--username=${clusterRole}`,
    '--auth=scram-sha-256',
    '--pwfile=/dev/stdin',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...(isDurable ? [] : ['--no-sync']),
  ]
  const password = await open(passwordFile, 'r')
  const child = await spawnOnCluster(cluster, 'initdb', flags, password.fd)
  await password.close()
  let output = ''
  child.stdout?.resume()
  child.stderr?.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(cannotRun(cluster, cause)))
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new Error(`The database could not be created in ${cluster.folder}. ${output.trim()}`)
}

/** Returns the error for a PostgreSQL program that cannot be started at all. */
export function cannotRun(cluster: Cluster, cause: unknown) {
  return new Error(
    `The embedded PostgreSQL in ${cluster.binaries} does not run on this machine. ` +
      'Set DATABASE_URL and SANDBOX_DATABASE_URL to a PostgreSQL of version 15 or newer.',
    { cause },
  )
}

/** Runs a PostgreSQL program on the cluster's folder, in its own session. */
export async function spawnOnCluster(
  { folder, binaries, account }: Cluster,
  program: 'initdb' | 'postgres',
  flags: string[],
  stdin: 'ignore' | number,
) {
  // The account may not be able to enter the folders of root. An open file descriptor gives access
  // to the cluster without access to the folders above it.
  const needsHandle = account.uid !== undefined && process.platform === 'linux'
  const handle = needsHandle ? await open(folder, 'r') : null
  try {
    return spawn(join(binaries, program), ['-D', handle ? '/proc/self/fd/3' : folder, ...flags], {
      ...account,
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      // Ctrl-C signals all processes in the terminal's process group, but the database must outlive
      // this process.
      detached: true,
      stdio: [stdin, 'pipe', 'pipe', ...(handle ? [handle.fd] : [])],
    })
  } finally {
    await handle?.close()
  }
}

/**
 * Stops a server that an earlier process left running on this cluster. If the process ID in a
 * leftover PID file is not that of such a server, the ID in the file is replaced.
 */
export async function endOrphan(cluster: Cluster): Promise<void> {
  await endServer(cluster)
  // The lock file of a socket also names a process. Only servers of this cluster have sockets here,
  // so the files can be deleted.
  for (const name of await readdir(cluster.folder)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(cluster.folder, name), { force: true })
  }
}

async function endServer(cluster: Cluster) {
  const path = join(cluster.folder, 'postmaster.pid')
  const text = await readIfPresent(path)
  const pid = Number(text?.split('\n')[0])
  if (text === null || !Number.isInteger(pid) || pid <= 0) return
  if (!isServer(cluster, pid)) {
    // PostgreSQL treats the process ID of its parent as stale, but still checks the shared memory
    // that the file names. Deleting the file would skip that check.
    await writeFile(path, text.replace(/^\d+/, String(process.pid)))
    return
  }
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signalQuietly(pid, signal)
    const deadline = Date.now() + timeoutMs
    while (Date.now() < deadline) {
      if (!isServer(cluster, pid)) return
      await sleep(20)
    }
  }
  throw new Error(
    `The database server ${pid} in ${cluster.folder} does not stop. Stop it first (kill ${pid}).`,
  )
}

function isServer(cluster: Cluster, pid: number) {
  return commandLine(pid)?.includes(`cluster_name=${cluster.id}`) ?? false
}

/** Sends a signal to a process. Does nothing if the process has ended. */
export function signalQuietly(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Returns whether the PID file belongs to the server `pid` and says that it accepts connections.
 */
export async function isReady(cluster: Cluster, pid: number): Promise<boolean> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}
