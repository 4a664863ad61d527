import type { AddressInfo } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { serveConsole } from '../gateway/console.ts'
import { ConsoleSessions } from '../gateway/console-session/sessions.ts'
import { createGraphServer, serveGraph } from '../gateway/graph-http.ts'
import { serveGraphSockets } from '../gateway/graph-ws.ts'
import type { Graph } from '../gateway/graph.ts'
import { createBodyMask } from '../gateway/body-mask.ts'
import { addHttpCaching } from '../gateway/http-caching.ts'
import { createHttp } from '../gateway/http.ts'
import { logRequests } from '../gateway/request-log.ts'
import { setSecurityHeaders } from '../gateway/security-headers.ts'
import { paths } from '../oauth/metadata.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import { serveFacade } from '../rest-facade/facade.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { startWorkers, type Worker } from '../kernel/work/worker.ts'
import { subgraphs } from '../subgraphs/index.ts'
import { serveDocumentContents } from './document-contents.ts'
import { serveJournalFiles } from './journal-files.ts'
import { Drain } from './drain.ts'
import { serveHealth } from './health.ts'
import { measureEnvironment, measureWorkers } from './metrics/environment-metrics.ts'
import { measureRequests } from './metrics/measure-requests.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { Readiness } from './readiness.ts'
import { traceRequests } from './trace-requests.ts'
import { serveUserInfo } from './user-info.ts'
import { webPagesOf } from './web-apps.ts'
import type { OpenBank } from './open-bank.ts'

/** A served environment: GraphQL, the REST API, OAuth tokens, health checks and workers. */
export interface ServedEnvironment {
  port: number
  /** The HTTP application; tests call it without a socket. */
  app: FastifyInstance
  /** Reports that the server is not ready, and lets clients leave. */
  drain(): void
  stop(): Promise<void>
}

export interface ServeOptions {
  open: OpenBank
  graph: Graph
  host: string
  port: number
  /** The origins of the environments whose pages may call this one from a browser. */
  allowedOrigins: readonly string[]
  /** The workers to run. If omitted, the workers of all subgraphs run. */
  workers?: readonly Worker[]
}

/**
 * Starts serving an environment. `stop` ends sockets and requests first, then workers, the event
 * log and the database connections.
 */
export async function serve(options: ServeOptions): Promise<ServedEnvironment> {
  const { open, graph, host, port, allowedOrigins: addresses } = options
  const { bank, authorizationServer } = open
  const app = createHttp(bank)
  logRequests(app, bank, createBodyMask(graph.apiSchema))
  const drain = new Drain(app)
  const readiness = new Readiness(bank)
  serveHealth(app, [readiness], drain)
  measureRequests(app, () => bank)
  traceRequests(app, () => bank, bank.log)
  measureEnvironment(bank, readiness)
  serveMetrics(app, bank)
  await app.register(cors, {
    origin: [...addresses, ...webPagesOf(bank.config, bank.environment)],
    methods: ['GET', 'HEAD', 'POST', 'PUT'],
    exposedHeaders: [
      'x-request-id',
      'idempotent-replayed',
      'etag',
      'sandbox-provisioned',
      'bankgraph-position',
      'link',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'dpop-nonce',
      'www-authenticate',
    ],
    maxAge: 600,
  })
  await addHttpCaching(app)
  serveTokens(app, bank, authorizationServer)
  serveUserInfo(app, bank, authorizationServer)
  const sessions = new ConsoleSessions(bank, open.consoleClient(app))
  const endpoint = createGraphServer(graph, bank, sessions)
  await serveGraph(app, endpoint)
  await serveFacade(app, { graph, bank, people: open.console.people })
  serveDocumentContents(app, bank)
  serveJournalFiles(app, bank)
  await serveConsole(app, bank, open.console, sessions)
  const sockets = serveGraphSockets(app.server, endpoint)
  await readiness.start()
  await app.listen({ host, port })
  const everyWorker = subgraphs.flatMap((subgraph) => subgraph.workers)
  const workers = startWorkers(bank, options.workers ?? everyWorker)
  readiness.watchWorkers(() => workers.delays())
  measureWorkers(bank, workers)
  return {
    port: (app.server.address() as AddressInfo).port,
    app,
    drain: () => drain.start(),
    async stop() {
      await Promise.all([sockets.close(), drain.close()])
      await workers.stop()
      await readiness.stop()
      await open.close()
    },
  }
}

/** Passes OAuth requests to the authorization server before anything reads their body. */
function serveTokens(app: FastifyInstance, bank: Bank, { handler }: AuthorizationServer): void {
  const { userInfo, ...handledPaths } = paths
  const authorizationPaths = new Set<string>(Object.values(handledPaths))
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?')[0]!
    const isHandled = authorizationPaths.has(path) || path.startsWith('/oauth/')
    if (!isHandled || path === userInfo) return done()
    reply.hijack()
    reply.raw.setHeader('x-request-id', request.id)
    setSecurityHeaders(reply.raw, bank)
    handler(request.raw, reply.raw)
  })
}
