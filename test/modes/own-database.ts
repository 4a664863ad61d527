/** A PostgreSQL server of a test's own, whose disk and settings the test can change. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresAccount } from '../../host/postgres-account.ts'
import { freePort } from '../kit/free-port.ts'

/** The programs of a complete PostgreSQL. */
const binaries = '/usr/lib/postgresql/15/bin'
export const hasPostgres = existsSync(binaries)
const run = promisify(execFile)

/** A server with the empty database `bank`, to which everybody can connect as the user `bank`. */
export class OwnDatabase {
  readonly folder: string
  /** Whether the folder is a small file system of its own; only root can mount one. */
  readonly hasSmallDisk: boolean
  readonly #environment: Record<string, string>
  #port = 0

  private constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder
    this.#environment = environment
    this.hasSmallDisk = mountSmallDisk(folder)
  }

  /** Creates and starts a server. `environment` is that of its processes. */
  static async start(environment: Record<string, string> = {}): Promise<OwnDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-database-'))
    const own = new OwnDatabase(folder, environment)
    const { uid, gid } = await postgresAccount(folder)
    if (uid !== undefined) await chown(folder, uid, gid!)
    await own.#tool('initdb', '-D', own.#data, '-U', 'bank', '-A', 'trust', '--no-sync')
    own.#port = await freePort()
    const sizes = 'max_wal_size = 64MB\nmin_wal_size = 32MB'
    const settings = `port = ${own.#port}\nunix_socket_directories = '${folder}'\n${sizes}\n`
    await appendFile(join(own.#data, 'postgresql.conf'), settings)
    await own.boot()
    await own.#tool('createdb', '-h', '127.0.0.1', '-p', String(own.#port), '-U', 'bank', 'bank')
    return own
  }

  get url(): string {
    return `postgres://bank@127.0.0.1:${this.#port}/bank`
  }

  /** The path of the Unix socket, which can also be reached from other network namespaces. */
  get socket(): string {
    return join(this.folder, `.s.PGSQL.${this.#port}`)
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  /** Opens a connection, whose loss is not an error. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.url)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** Starts the server and waits until it answers. */
  boot(): Promise<void> {
    return this.#tool('pg_ctl', '-D', this.#data, '-l', join(this.folder, 'log'), '-w', 'start')
  }

  /** Stops the server as if it had crashed. */
  crash(): Promise<void> {
    return this.#tool('pg_ctl', '-D', this.#data, '-m', 'immediate', 'stop')
  }

  /** Fills the small disk. Returns a function that frees the space again. */
  async fillDisk(): Promise<() => Promise<void>> {
    const { bavail, bsize } = await statfs(this.folder)
    const filler = join(this.folder, 'filler')
    // Under load, the server takes some of the space first.
    await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error
    })
    return () => rm(filler)
  }

  async remove(): Promise<void> {
    await this.crash().catch(() => undefined)
    if (this.hasSmallDisk) execFileSync('umount', [this.folder])
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Runs a program of PostgreSQL under the account that may. */
  async #tool(name: string, ...args: string[]): Promise<void> {
    const { uid, gid } = await postgresAccount(this.folder)
    await run(join(binaries, name), args, {
      cwd: this.folder,
      env: { ...process.env, ...this.#environment },
      ...(uid !== undefined && { uid, gid: gid! }),
    })
  }
}

/** Mounts a small file system if this account may. */
function mountSmallDisk(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
