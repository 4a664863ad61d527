/** A primary PostgreSQL server and its standby, of a test's own. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresAccount } from '../../host/postgres-account.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'

/** The programs of a complete PostgreSQL; the embedded one cannot copy a database. */
const binaries = '/usr/lib/postgresql/15/bin'
export const hasPostgres = existsSync(binaries)
const run = promisify(execFile)

type Server = 'primary' | 'standby'

/** The servers have the empty database `bank`, to which everybody can connect as the user `bank`. */
export class DatabasePair {
  readonly folder: string
  readonly ports: Readonly<Record<Server, number>>

  private constructor(folder: string, ports: Record<Server, number>) {
    this.folder = folder
    this.ports = ports
  }

  /** Starts both. A synchronous standby has a commit before the primary acknowledges it. */
  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<DatabasePair> {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-pair-'))
    const account = await postgresAccount(folder)
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
    const pair = new DatabasePair(folder, { primary: await freePort(), standby: await freePort() })
    const names = isSynchronous ? '*' : ''
    await pair.#tool('initdb', '-D', pair.#dataOf('primary'), '-U', 'bank', '-A', 'trust', '-N')
    await pair.#configure('primary', `wal_level = replica\nsynchronous_standby_names = '${names}'`)
    await pair.control('primary', 'start', '--no-wait')
    await eventually(
      async () => (await pair.query('primary', 'select 1', 'postgres')) !== null,
      30_000,
    )
    const create = 'set synchronous_commit = local; create database bank'
    await pair.query('primary', create, 'postgres')
    const copyOptions = ['-D', pair.#dataOf('standby'), '-R', '-X', 'stream', '-c', 'fast']
    const source = ['-h', '127.0.0.1', '-p', String(pair.ports.primary), '-U', 'bank']
    await pair.#tool('pg_basebackup', ...copyOptions, ...source)
    await pair.#configure('standby', `synchronous_standby_names = ''`)
    await pair.control('standby', 'start', '--no-wait')
    const state = isSynchronous ? `sync_state = 'sync'` : `state = 'streaming'`
    const connected = `select from pg_stat_replication where ${state}`
    await eventually(async () => (await pair.query('primary', connected))?.rowCount === 1, 30_000)
    return pair
  }

  async stop(): Promise<void> {
    for (const server of ['primary', 'standby'] as const) {
      await this.control(server, 'stop', '-m', 'immediate').catch(() => undefined)
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  url(server: Server): string {
    return `postgresql://bank@127.0.0.1:${this.ports[server]}/bank`
  }

  /** Runs `pg_ctl` on a server, such as `promote`. */
  control(server: Server, ...args: string[]): Promise<void> {
    const log = join(this.folder, `${server}.log`)
    return this.#tool('pg_ctl', '-D', this.#dataOf(server), '-l', log, ...args)
  }

  /** Runs a query on one of the servers. Returns null while it cannot answer. */
  async query(server: Server, sql: string, database = 'bank'): Promise<pg.QueryResult | null> {
    const connection = { host: '127.0.0.1', port: this.ports[server], user: 'bank', database }
    const client = new pg.Client(connection)
    client.on('error', () => undefined)
    try {
      await client.connect()
      for (const each of sql.split('; ').slice(0, -1)) await client.query(each)
      return await client.query(sql.split('; ').at(-1)!)
    } catch {
      return null
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  #dataOf(server: Server): string {
    return join(this.folder, server)
  }

  /** Runs a program of PostgreSQL under the account that may. */
  async #tool(name: string, ...args: string[]): Promise<void> {
    const { uid, gid } = await postgresAccount(this.folder)
    await run(join(binaries, name), args, {
      cwd: this.folder,
      ...(uid !== undefined && { uid, gid: gid! }),
    })
  }

  #configure(server: Server, settings: string): Promise<void> {
    const address = `listen_addresses = '127.0.0.1'\nport = ${this.ports[server]}`
    const content = `\n${address}\nunix_socket_directories = '${this.folder}'\n${settings}\n`
    return appendFile(join(this.#dataOf(server), 'postgresql.conf'), content)
  }
}
