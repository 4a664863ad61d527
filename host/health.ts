import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { callerOf } from '../gateway/envelope.ts'
import { withRefusalAudit } from '../gateway/refusals.ts'
import { requireScope } from '../kernel/authorization/auth.ts'
import { countOpenFindings } from '../ledger/findings.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Drain } from './drain.ts'
import type { BrokerStatistics } from '../kernel/events/event-broker.ts'

const maxLagMs = 5000

/**
 * Serves `/livez` (whether the process responds in time), `/readyz` (whether it can serve requests)
 * and `/metrics` (Prometheus text). During a drain, `/readyz` responds with 503.
 */
export function serveHealth(app: FastifyInstance, bank: Bank, drain: Drain): void {
  const lag = monitorEventLoopDelay({ resolution: 100 })
  lag.enable()
  app.addHook('onClose', async () => lag.disable())
  app.get('/livez', async (_request, reply) => {
    const lagMs = Math.round(lag.max / 1e6)
    lag.reset()
    return reply.code(lagMs < maxLagMs ? 200 : 503).send({ status: 'live', lagMs })
  })
  app.get('/readyz', async (_request, reply) => {
    const findings = await openFindings(bank)
    const isReachable = findings !== null
    const { isDraining } = drain
    const isReady = isReachable && !isDraining
    const database = isReachable ? 'ok' : 'unavailable'
    const readyStatus = findings ? 'degraded' : 'ready'
    const status = isDraining ? 'draining' : isReady ? readyStatus : 'unready'
    return reply.code(isReady ? 200 : 503).send({
      status,
      database,
      ...(isReachable && { ledgerFindings: findings }),
    })
  })
  const metrics = createMetrics(app, bank)
  app.get('/metrics', async (request, reply) => {
    // In live, only operators may read the metrics, because they reveal routes, rates and failures.
    if (bank.environment === 'live') {
      const caller = await callerOf(bank, request)
      withRefusalAudit(bank, request, caller, () => requireScope(caller, 'operations:read'))
    }
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/**
 * Counts the open findings of the ledger. Returns null if the database is unavailable or does not
 * respond within 500 ms.
 */
async function openFindings(bank: Bank): Promise<number | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), 500).unref())
  return Promise.race([countOpenFindings(bank.pool).catch(() => null), timeout])
}

function createMetrics(app: FastifyInstance, bank: Bank): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Response time in seconds, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  const gauge = (name: string, help: string, readValue: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(readValue())
      },
    })
  gauge('database_pool_total', 'Open database connections.', () => bank.pool.totalCount)
  gauge(
    'database_pool_waiting',
    'Requests that wait for a database connection.',
    () => bank.pool.waitingCount,
  )
  new Gauge({
    name: 'ledger_open_findings',
    help: 'Open findings of the ledger checks.',
    registers: [register],
    async collect() {
      const findings = await openFindings(bank)
      if (findings !== null) this.set(findings)
    },
  })
  measureIdentities(register, bank)
  gauge('event_log_head', 'The last position of the event log that this process has seen.', () =>
    Number(bank.events.head),
  )
  if (bank.events.broker) measureBroker(register, () => bank.events.broker!)
  return register
}

/** Counts the records of the audit of identity, whose kinds and outcomes are enumerations. */
function measureIdentities(register: Registry, { identities }: Bank): void {
  new Counter({
    name: 'identity_records_total',
    help: 'Log-ins, tokens, revocations and other actions of identity, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [register],
    collect() {
      this.reset()
      for (const { kind, outcome, count } of identities.totals) this.inc({ kind, outcome }, count)
    },
  })
}

function measureBroker(register: Registry, readStatistics: () => BrokerStatistics): void {
  new Gauge({
    name: 'event_broker_connected',
    help: 'Whether this process is connected to the event broker: 1 or 0.',
    registers: [register],
    collect() {
      this.set(readStatistics().isConnected ? 1 : 0)
    },
  })
  const counter = (name: string, help: string, valueOf: (statistics: BrokerStatistics) => number) =>
    new Counter({
      name,
      help,
      registers: [register],
      collect() {
        this.reset()
        this.inc(valueOf(readStatistics()))
      },
    })
  counter(
    'event_broker_reconnects_total',
    'Reconnects to the broker.',
    (statistics) => statistics.reconnects,
  )
  counter(
    'event_broker_published_total',
    'Events that this process published to the broker.',
    (statistics) => statistics.published,
  )
  counter(
    'event_broker_refilled_gaps_total',
    'Database reads to fill gaps left by events that the broker lost or delivered late.',
    (statistics) => statistics.refilledGaps,
  )
  counter(
    'event_broker_duplicates_total',
    'Events from the broker that were dropped because they were already known.',
    (statistics) => statistics.duplicates,
  )
}
