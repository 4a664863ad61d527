import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GraphQLSchema } from 'graphql'
import { createClient, type Client } from 'graphql-ws'
import pino from 'pino'
import { inject } from 'vitest'
import WebSocket from 'ws'
import { buildSubgraphs } from '../../gateway/compose.ts'
import { createGraph, type Graph } from '../../gateway/graph.ts'
import { LocalSource } from '../../gateway/sources.ts'
import { openBank } from '../../host/open-bank.ts'
import { serve } from '../../host/serve.ts'
import { parseConfig, type EnvironmentName } from '../../kernel/environment/config.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { acrOf } from '../../kernel/domain/log-in-method.ts'
import { everyScope, type Scope } from '../../kernel/domain/scopes.ts'
import type { Worker } from '../../kernel/work/worker.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { freshDatabase } from './database.ts'
import { theMailServer } from './mail-server.ts'
import { seedOfficers } from './officers.ts'
import { freePort } from './free-port.ts'
import { keepSchemas } from './schemas.ts'

export { eventually } from './eventually.ts'

/** An answer over HTTP, with its bytes, so that replays can be compared. */
export interface RestAnswer {
  status: number
  headers: Headers
  text: string
  // Tests read bodies of any shape.
  body: any
}

export interface RestOptions {
  key?: string
  token?: string | null
  headers?: Record<string, string>
  /** Sent as it is; anything else is sent as JSON. */
  raw?: string | Buffer
}

export interface GraphClient {
  ttlSeconds?: number
  scopes?: readonly Scope[]
  partyId?: string
  clientId?: string
  /** A person on the bank's staff. */
  subject?: string
  /** Whether the person has logged in with a passkey just now. */
  hasPasskey?: boolean
}

/** The whole platform of one environment, on a database of its own, behind a real socket. */
export interface Platform {
  bank: Bank
  schema: GraphQLSchema
  url: string
  /** Of the environment's own client, as a file of credentials has them. */
  credentials: { clientId: string; clientSecret: string; tokenEndpoint: string }
  token(actor?: GraphClient): string
  /** A token with the platform's own signature that says anything; undefined leaves a claim out. */
  forge(claims: object, header?: object): string
  rest(method: string, path: string, body?: unknown, options?: RestOptions): Promise<RestAnswer>
  graph(
    query: string,
    variables?: Record<string, unknown>,
    options?: RestOptions,
  ): Promise<RestAnswer>
  /** A graphql-ws client with this token. */
  socket(token?: string): Client
  stop(): Promise<void>
}

let shared: Promise<{ graph: Graph; sources: ReadonlyMap<string, LocalSource> }> | undefined

/** The composed graph of this process, loaded once for all test files that run in it. */
export async function theGraph(): Promise<Graph> {
  shared ??= loadGraph()
  return (await shared).graph
}

/** The sources of the subgraphs below `theGraph`, by name. */
export async function theSources(): Promise<ReadonlyMap<string, LocalSource>> {
  shared ??= loadGraph()
  return (await shared).sources
}

async function loadGraph() {
  const schemas = buildSubgraphs()
  keepSchemas(schemas)
  const sources = new Map([...schemas].map(([name, schema]) => [name, new LocalSource(schema)]))
  return { graph: await createGraph(sources, pino({ level: 'silent' })), sources }
}

/**
 * Returns all workers. With `WORKER_DELAY_MS`, each batch of a worker begins that much later, as on a
 * busy machine: a test that then fails relies on work that nobody promised to be done yet.
 */
function delayedWorkers(): Worker[] {
  const delayMs = Number(process.env['WORKER_DELAY_MS'] ?? 0)
  const workers = subgraphs.flatMap((subgraph) => subgraph.workers)
  if (delayMs === 0) return workers
  return workers.map((worker) => ({
    ...worker,
    async run(context, stopping) {
      await sleep(delayMs, null, { signal: stopping }).catch(() => undefined)
      return worker.run(context, stopping)
    },
  }))
}

/** Starts an environment; `sandbox` provisions, `live` is strict. A quiet one does nothing beside its requests. */
export async function aPlatform(
  environment: EnvironmentName = 'live',
  databaseUrl?: string,
  isQuiet = false,
  settings: Record<string, string> = {},
  log = pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
): Promise<Platform> {
  const graph = await theGraph()
  const database = databaseUrl ? null : await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-platform-'))
  const port = await freePort()
  // Passkeys need a domain name.
  const url = `http://${settings['HOST'] ?? '127.0.0.1'}:${port}`
  const open = await openBank({
    environment,
    config: parseConfig({
      PORT: String(port),
      SANDBOX_PORT: 'off',
      DATA_DIR: dataDir,
      ENCRYPT_PERSONAL_DATA: process.env['ENCRYPT_PERSONAL_DATA'] ?? 'off',
      // Live refuses e-mail that no server would take.
      ...(environment === 'live' && { SMTP_URL: (await theMailServer()).url }),
      ...settings,
    }),
    databaseUrl: databaseUrl ?? database!.url,
    address: url,
    secrets: environment === 'sandbox' ? { ...secrets, parties: [ada] } : { ...secrets },
    graph,
    log,
  })
  await seedOfficers(open.bank.pool)
  const served = await serve({
    open,
    graph,
    host: '127.0.0.1',
    port,
    allowedOrigins: [],
    workers: isQuiet ? [] : delayedWorkers(),
  })
  const token = ({
    scopes = everyScope,
    partyId,
    clientId = 'test-client',
    subject,
    ttlSeconds,
    hasPasskey = false,
  }: GraphClient = {}) =>
    hasPasskey
      ? forge(url, open.authorizationServer.audience, {
          client_id: clientId,
          sub: partyId,
          party_id: partyId,
          jti: randomUUID(),
          acr: acrOf.passkey,
          auth_time: Math.floor(Date.now() / 1000),
        })
      : open.authorizationServer.issueToken({
          clientId,
          ...(ttlSeconds && { ttlSeconds }),
          scope: scopes.join(' '),
          ...(subject && { subject }),
          ...(partyId && { partyId, subject: partyId }),
        })
  const everything = token()
  return {
    bank: open.bank,
    schema: graph.apiSchema,
    url,
    credentials: {
      clientId: secrets.clientId,
      clientSecret: secrets.clientSecret,
      tokenEndpoint: `${url}/oauth/token`,
    },
    token,
    forge: (claims, header) => forge(url, open.authorizationServer.audience, claims, header),
    rest: (method, path, body, options) => request(url, everything, method, path, body, options),
    graph: (query, variables, options) =>
      request(url, everything, 'POST', '/graphql', { query, variables }, options),
    socket: (own = everything) =>
      createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${own}` },
        retryAttempts: 0,
      }),
    async stop() {
      await served.stop()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function request(
  url: string,
  everything: string,
  method: string,
  path: string,
  body: unknown,
  { key, token = everything, headers = {}, raw }: RestOptions = {},
): Promise<RestAnswer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload as BodyInit }),
  })
  const text = await answer.text()
  let parsed: unknown = text
  try {
    parsed = JSON.parse(text)
  } catch {
    // Not every answer is JSON; the test looks at the text then.
  }
  return { status: answer.status, headers: answer.headers, text, body: parsed }
}

function forge(issuer: string, audience: string, claims: object, header: object = {}): string {
  const at = Math.floor(Date.now() / 1000)
  const good = { iss: issuer, aud: audience, sub: 'x', client_id: 'x', jti: 'x', iat: at }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = encode({ alg: 'ES256', typ: 'at+jwt', kid: secrets.signingJwk.kid, ...header })
  const body = encode({ ...good, exp: at + 600, scope: everyScope.join(' '), ...claims })
  const key = createPrivateKey({ key: { ...secrets.signingJwk }, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  })
  return `${head}.${body}.${signature.toString('base64url')}`
}

/** Who logs in to a sandbox. */
export const ada = { partyId: 'pty_ada', username: 'ada', password: 'correct horse battery' }

const { pageKey, ...runSecrets } = inject('secrets')

/** The secrets of every environment of the run, so that one can start on the database of another. */
export const secrets = {
  ...runSecrets,
  pageKeys: { current: 'p1', keys: { p1: Buffer.from(pageKey, 'base64url') } },
}
