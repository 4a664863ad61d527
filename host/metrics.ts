import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { callerOf } from '../gateway/envelope.ts'
import { withRefusalAudit } from '../gateway/refusals.ts'
import { requireScope } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { BrokerStatistics } from '../kernel/events/event-broker.ts'
import { countOpenFindings } from '../ledger/findings.ts'

/** Serves `/metrics` (Prometheus text). */
export function serveMetrics(app: FastifyInstance, bank: Bank): void {
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
      const findings = await countOpenFindings(bank.pool).catch(() => null)
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
