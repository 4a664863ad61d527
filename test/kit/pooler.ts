/** PgBouncer in transaction mode, with the settings of `deploy/pgbouncer`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { postgresAccount } from '../../host/postgres-account.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const binary = '/usr/sbin/pgbouncer'
export const hasPooler = existsSync(binary)
if (!hasPooler) console.warn('The tests of the pooler are skipped: install pgbouncer.')

export interface PoolerOptions {
  /** How many connections the pooler makes to the database. */
  poolSize: number
  /** Whether the sessions of the pooler have the timeouts of `deploy/pgbouncer`. */
  hasTimeouts?: boolean
  /** Other lines for the section `pgbouncer`. */
  settings?: string
}

/** A pooler in front of one database, which a test may end and start again. */
export class Pooler {
  readonly #folder: string
  readonly #port: number
  readonly #user: string
  readonly #database: string
  #child: ChildProcess | null = null

  private constructor(folder: string, port: number, target: Target) {
    this.#folder = folder
    this.#port = port
    this.#user = target.user
    this.#database = target.database
  }

  static async start(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-pooler-'))
    const port = await freePort()
    const target = targetOf(databaseUrl)
    const pooler = new Pooler(folder, port, target)
    await writeFile(join(folder, 'users'), `"${target.user}" "${target.password}"\n`)
    await writeFile(join(folder, 'pgbouncer.ini'), await iniOf(folder, port, target, options))
    const { uid, gid } = await postgresAccount(folder)
    if (uid !== undefined) await chown(folder, uid, gid!)
    await pooler.boot()
    return pooler
  }

  get url(): string {
    return this.#urlOf(this.#database)
  }

  async boot(): Promise<void> {
    const account = await postgresAccount(this.#folder)
    this.#child = spawn(binary, ['-q', join(this.#folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      cwd: this.#folder,
      ...account,
    })
    await eventually(() => this.show('version').catch(() => null))
  }

  /** Ends the process: SIGINT when no statement is in flight, SIGTERM and SIGKILL at once. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Returns what the console of PgBouncer shows, such as `servers`. */
  async show(what: string): Promise<Record<string, string>[]> {
    const client = new pg.Client(this.#urlOf('pgbouncer'))
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query(`show ${what}`)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }

  #urlOf(database: string): string {
    return `postgres://${this.#user}@127.0.0.1:${this.#port}/${database}`
  }
}

interface Target {
  user: string
  password: string
  port: number
  database: string
}

function targetOf(databaseUrl: string): Target {
  const { user, password, port, database } = new pg.Client(databaseUrl)
  return { user: user!, password: (password as string | null) ?? '', port, database: database! }
}

/** The documented file, with another database, and with what differs on the machine of a test. */
async function iniOf(
  folder: string,
  port: number,
  target: Target,
  { poolSize, hasTimeouts = true, settings = '' }: PoolerOptions,
): Promise<string> {
  const path = join(projectRoot, 'deploy/pgbouncer/pgbouncer.ini')
  const documented = await readFile(path, 'utf8')
  const [, connectQuery] = /^bankgraph_live = .*(connect_query='[^']+')/m.exec(documented)!
  const { port: databasePort, database, user, password } = target
  const address = `host=127.0.0.1 port=${databasePort} dbname=${database} user=${user}`
  const secret = password ? ` password=${password}` : ''
  const entry = `${database} = ${address}${secret} ${hasTimeouts ? connectQuery : ''}`
  const [, common] = documented.split('[pgbouncer]')
  return `[databases]\n${entry}\n\n[pgbouncer]${common}
listen_port = ${port}
auth_type = trust
auth_file = ${join(folder, 'users')}
logfile = ${join(folder, 'log')}
unix_socket_dir =
admin_users = ${user}
default_pool_size = ${poolSize}
${settings}
`
}
