import pg from 'pg'

/** How long a host may take to answer whether it can be used. */
const probeTimeoutMs = 2000
const readOnlySql =
  'select pg_is_in_recovery() or current_setting(\'default_transaction_read_only\')::boolean as "isReadOnly"'

/** The options of a client, with the hosts that it may connect to. */
export type HostOptions = pg.ClientConfig & { hosts?: DatabaseHosts }

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

/**
 * Returns the options of clients for a connection string. With several hosts, or with
 * `target_session_attrs`, a `HostClient` with these options connects to the first host that can be
 * used. Without `target_session_attrs`, that is a host which accepts writes if there are several.
 */
export function databaseOptions(connectionString: string): HostOptions {
  const urls = urlsOf(connectionString)
  if (urls.length === 1 && !connectionString.includes('target_session_attrs')) {
    return { connectionString }
  }
  return { connectionString: urls[0]!, hosts: new DatabaseHosts(urls) }
}

/**
 * The hosts of one database. All clients of the database share them, so that after a failover only
 * one of them looks for the new primary.
 */
export class DatabaseHosts {
  readonly #urls: readonly string[]
  #known: Promise<Host> | null = null

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /** Returns the host to connect to. Throws the error of the last host if none can be used. */
  find(): Promise<Host> {
    return (this.#known ??= this.#probe().catch((error: unknown) => {
      this.#known = null
      throw error
    }))
  }

  /** Called when a connection was lost, or could not be made: the next one looks for a host again. */
  evict(): void {
    this.#known = null
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

/** A client that connects to the usable host of `hosts`, if its options have them. */
export class HostClient extends pg.Client {
  readonly #hosts: DatabaseHosts | null

  constructor(options: HostOptions = {}) {
    super(options)
    this.#hosts = options.hosts ?? null
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
      return await super.connect()
    } catch (error) {
      hosts.evict()
      throw error
    }
  }
}
