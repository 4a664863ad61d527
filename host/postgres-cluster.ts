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

/** One PostgreSQL data directory, the programs that serve it and the account they run as. */
export interface Cluster {
  folder: string
  binaries: string
  account: Account
  /** Stands in the command line of its server, so that a server can be told from any other process. */
  id: string
  password: string
}

/** The role that owns everything in an embedded cluster. */
export const clusterRole = 'bankgraph'

const majorVersion = '18'

/**
 * Opens the cluster in `dataDir`, which is made on first use. Refuses a cluster of another major
 * version or of none, and one whose password file is gone.
 */
export async function openCluster(dataDir: string, isDurable: boolean): Promise<Cluster> {
  const folder = join(dataDir, 'cluster')
  const account = await postgresAccount(folder)
  const binaries = await postgresBinaries(account)
  const version = await readIfPresent(join(folder, 'PG_VERSION'))
  const { id, password } = await identity(join(dataDir, 'server.json'), version !== null)
  const cluster = { folder, binaries, account, id, password }
  if (version === null) await createCluster(dataDir, cluster, isDurable)
  else if (version.trim() !== majorVersion) {
    throw new Error(
      `${folder} was made by PostgreSQL ${version.trim()}, this program brings ${majorVersion}. ` +
        'Move the data over with pg_dump, or start with another DATA_DIR.',
    )
  }
  return cluster
}

async function identity(path: string, clusterExists: boolean) {
  const text = await readIfPresent(path)
  if (text === null && clusterExists) {
    throw new Error(`${path}, with the password of the database beside it, is missing.`)
  }
  if (text === null) {
    const made = {
      id: `bankgraph-${randomBytes(8).toString('hex')}`,
      password: randomBytes(24).toString('base64url'),
    }
    await writePrivateFile(path, `${JSON.stringify(made, null, 2)}\n`)
    return made
  }
  const { id, password } = parseJson(path, text)
  if (typeof id === 'string' && typeof password === 'string') return { id, password }
  throw new Error(`${path} holds no database password. It is left as it is: restore it.`)
}

function parseJson(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (cause) {
    throw new Error(`${path} is not valid JSON. It is left as it is: restore it.`, { cause })
  }
}

/** Initialised beside its place and then moved there, so that a half-made cluster is never used. */
async function createCluster(dataDir: string, cluster: Cluster, isDurable: boolean) {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('new-')) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  await requireNothingThere(cluster.folder)
  const draft = await mkdtemp(join(dataDir, 'new-'))
  const inside = join(draft, 'cluster')
  await mkdir(inside, { mode: 0o700 })
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 })
  const { uid, gid } = cluster.account
  if (uid !== undefined && gid !== undefined) {
    await chown(inside, uid, gid)
    await chown(passwordFile, uid, gid)
  }
  await initdb({ ...cluster, folder: inside }, passwordFile, isDurable)
  await rename(inside, cluster.folder)
  await rm(draft, { recursive: true })
}

/** A cluster is moved to its place whole: one without its version was damaged there, and may be all there is of a bank. */
async function requireNothingThere(folder: string) {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length === 0) return
  throw new Error(
    `${join(folder, 'PG_VERSION')} is missing. The folder is left as it is: restore it, ` +
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

/** The error for a program of PostgreSQL that does not start at all. */
export function cannotRun(cluster: Cluster, cause: unknown) {
  return new Error(
    `The embedded PostgreSQL in ${cluster.binaries} does not run on this machine. ` +
      'Set DATABASE_URL and SANDBOX_DATABASE_URL to a PostgreSQL of version 15 or newer.',
    { cause },
  )
}

/** Runs a program of PostgreSQL on the cluster's folder, in a session of its own. */
export async function spawnOnCluster(
  { folder, binaries, account }: Cluster,
  program: 'initdb' | 'postgres',
  flags: string[],
  stdin: 'ignore' | number,
) {
  // Root's folders may be closed to the account. An open descriptor leads into the cluster
  // without passing through the folders above it.
  const isHandedOver = account.uid !== undefined && process.platform === 'linux'
  const handle = isHandedOver ? await open(folder, 'r') : null
  try {
    return spawn(join(binaries, program), ['-D', handle ? '/proc/self/fd/3' : folder, ...flags], {
      ...account,
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      // Ctrl-C reaches every process of the terminal's group; the database has to outlive ours.
      detached: true,
      stdio: [stdin, 'pipe', 'pipe', ...(handle ? [handle.fd] : [])],
    })
  } finally {
    await handle?.close()
  }
}

/**
 * Ends a server that an earlier process left behind on this cluster, and disarms a pid file whose
 * number now belongs to somebody else.
 */
export async function endOrphan(cluster: Cluster): Promise<void> {
  await endServer(cluster)
  // A socket's lock names a process too, and only a server of this cluster puts sockets here.
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
    // PostgreSQL takes its parent's number for a stale one, and still checks the shared memory
    // that the file names: deleting the file would lose that check.
    await writeFile(path, text.replace(/^\d+/, String(process.pid)))
    return
  }
  for (const [signal, patienceMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signalQuietly(pid, signal)
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      if (!isServer(cluster, pid)) return
      await sleep(20)
    }
  }
  throw new Error(`The database server ${pid}, left behind in ${cluster.folder}, does not end.`)
}

function isServer(cluster: Cluster, pid: number) {
  return commandLine(pid)?.includes(`cluster_name=${cluster.id}`) ?? false
}

/** Signals a process that may be gone already. */
export function signalQuietly(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whether the server `pid` says in its pid file that it takes connections. */
export async function isReady(cluster: Cluster, pid: number): Promise<boolean> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}
