import pg from 'pg'
import { prepareNothing, withoutSession } from './pooler.ts'
import { ServerConnections } from './silent-server.ts'
import { sqlState } from './sql-errors.ts'

/** How long a host may take to answer whether it can be used. */
const probeTimeoutMs = 2000
/** How long the result of a check is used for other connections to the same host. */
const checkLifetimeMs = 1000
const readOnlySql =
  'select pg_is_in_recovery() or current_setting(\'default_transaction_read_only\')::boolean as "isReadOnly"'

/**
 * The options of a client, with the hosts that it may connect to. `isPooled` is whether they are
 * poolers in transaction mode.
 */
export type HostOptions = pg.ClientConfig & { hosts?: DatabaseHosts; isPooled?: boolean }

const hostList = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/
const wantedAttributes = new Set(['any', 'read-write', 'primary'])

/** Returns the URLs of the single hosts of a connection string. */
function urlsOf(connectionString: string): string[] {
  const [, start = '', hosts = '', end = ''] = hostList.exec(connectionString) ?? []
  return hosts.includes(',')
    ? hosts.split(',').map((host) => `${start}${host}${end}`)
    : [connectionString]
}

/**
 * Whether a text is the URL of a PostgreSQL database. Like in libpq, it can name several hosts, as in
 * `postgresql://user:password@a:5432,b:5432/bank`, and `target_session_attrs` can be `any`,
 * `read-write` or `primary`.
 */
export function isDatabaseUrl(text: string): boolean {
  const urls = urlsOf(text)
  return urls.every((url) => {
    if (!URL.canParse(url)) return false
    const { protocol, hostname, searchParams } = new URL(url)
    const attributes = searchParams.get('target_session_attrs') ?? 'any'
    return (
      /^postgres(ql)?:$/.test(protocol) &&
      (urls.length === 1 || hostname !== '') &&
      wantedAttributes.has(attributes)
    )
  })
}

/** Whether a URL of a database names one host. */
export const namesOneHost = (url: string): boolean => urlsOf(url).length === 1

/**
 * Returns the options of clients for a connection string. A `HostClient` with these options closes
 * its connection if the server is gone. With several hosts, or with `target_session_attrs`, it
 * connects to the first host that can be used. Without `target_session_attrs`, that is a host which
 * accepts writes if there are several.
 */
export function databaseOptions(connectionString: string): HostOptions {
  const urls = urlsOf(connectionString)
  const hasChoice = urls.length > 1 || connectionString.includes('target_session_attrs')
  return { connectionString: urls[0]!, hosts: new DatabaseHosts(urls, hasChoice) }
}

/**
 * The hosts of one database. All clients of the database share them, so that after a failover only
 * one of them looks for the new primary.
 */
export class DatabaseHosts {
  readonly #urls: readonly string[]
  readonly #hasChoice: boolean
  #known: Promise<Host> | null = null
  readonly #servers = new Map<string, ServerConnections>()

  /** `hasChoice` is whether a host must be found before a client connects. */
  constructor(urls: readonly string[], hasChoice = true) {
    this.#urls = urls
    this.#hasChoice = hasChoice
  }

  /**
   * Returns the host to connect to; null if it is the one of the connection string. Throws the error
   * of the last host if none can be used.
   */
  async find(): Promise<Host | null> {
    if (!this.#hasChoice) return null
    return await (this.#known ??= this.#probe().catch((error: unknown) => {
      this.#known = null
      throw error
    }))
  }

  /** Called when a connection was lost, or could not be made: the next one looks for a host again. */
  evict(): void {
    this.#known = null
  }

  /** Adds a client that has connected: it is closed if its server is gone. */
  connected(client: pg.Client): void {
    const { host, port } = client
    const key = `${host}:${port}`
    let server = this.#servers.get(key)
    if (!server) {
      const isAlive = shared(() => acceptsConnection(this.#urls[0]!, { host, port }))
      this.#servers.set(key, (server = new ServerConnections(isAlive)))
    }
    server.add(client)
  }

  async #probe(): Promise<Host> {
    let failure: unknown
    for (const url of this.#urls) {
      try {
        return await usableHost(url)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}

interface Host {
  host: string
  port: number
}

/** Returns a function that shares the result of a check with the calls that follow within a second. */
function shared(check: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return () => {
    if (running) return running
    running = check()
    void running.then(() => setTimeout(() => (running = null), checkLifetimeMs).unref())
    return running
  }
}

/** Whether a host accepts a connection, even if it then rejects it. */
async function acceptsConnection(connectionString: string, host: Host): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeTimeoutMs })
  client.on('error', () => undefined)
  Object.assign(client, host)
  try {
    await client.connect()
    return true
  } catch (error) {
    // A server that says why it rejects the connection is alive.
    return sqlState(error) !== undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns the host of a URL. Throws an Error with a SQLSTATE or a system code if it cannot be used. */
async function usableHost(url: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (new URL(url).searchParams.get('target_session_attrs') !== 'any') {
      const { rows } = await client.query<{ isReadOnly: boolean }>(readOnlySql)
      const message = `The database at ${client.host}:${client.port} is read-only.`
      // SQLSTATE 25006: read_only_sql_transaction
      if (rows[0]!.isReadOnly) throw Object.assign(new Error(message), { code: '25006' })
    }
    return { host: client.host, port: client.port }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * A client that connects to the usable host of `hosts`, if its options have them, and closes the
 * connection if that host is gone. With `isPooled`, it leaves nothing in a session.
 */
export class HostClient extends pg.Client {
  readonly #hosts: DatabaseHosts | null

  constructor(options: HostOptions = {}) {
    super(options.isPooled ? withoutSession(options) : options)
    this.#hosts = options.hosts ?? null
    if (options.isPooled) prepareNothing(this)
    // The pool and other owners of the client listen, too.
    if (this.#hosts) this.on('error', () => this.#hosts!.evict())
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (!this.#hosts) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connectToHost(this.#hosts)
    if (!callback) return connected
    connected.then(() => callback(undefined as never), callback)
  }

  async #connectToHost(hosts: DatabaseHosts): Promise<pg.Client> {
    Object.assign(this, await hosts.find())
    try {
      const connected = await super.connect()
      hosts.connected(this)
      return connected
    } catch (error) {
      hosts.evict()
      throw error
    }
  }
}
