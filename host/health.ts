import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { callerOf } from '../gateway/envelope.ts'
import { atDoor } from '../gateway/refusals.ts'
import { requireScope } from '../subgraphs/_kernel/auth.ts'
import { countOpenFindings } from '../subgraphs/_ledger/findings.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { BrokerFigures } from '../subgraphs/_kernel/log.ts'

const mostLagMs = 5000

/** `/livez`: this process turns. `/readyz`: it can do its work now. `/metrics`: Prometheus text. */
export function serveHealth(app: FastifyInstance, bank: Bank): { drain(): void } {
  let isDraining = false
  const lag = monitorEventLoopDelay({ resolution: 100 })
  lag.enable()
  app.addHook('onClose', async () => lag.disable())
  app.get('/livez', async (_request, reply) => {
    const lagMs = Math.round(lag.max / 1e6)
    lag.reset()
    return reply.code(lagMs < mostLagMs ? 200 : 503).send({ status: 'live', lagMs })
  })
  app.get('/readyz', async (_request, reply) => {
    const findings = await openFindings(bank)
    const isReachable = findings !== null
    const isReady = isReachable && !isDraining
    const database = isReachable ? 'ok' : 'unavailable'
    const ready = findings ? 'degraded' : 'ready'
    const status = isDraining ? 'draining' : isReady ? ready : 'unready'
    return reply.code(isReady ? 200 : 503).send({
      status,
      database,
      ...(isReachable && { ledgerFindings: findings }),
    })
  })
  const metrics = createMetrics(app, bank)
  app.get('/metrics', async (request, reply) => {
    // In live the figures are the operators': they name routes, rates and failures.
    if (bank.environment === 'live') {
      const caller = await callerOf(bank, request)
      atDoor(bank, request, caller, () => requireScope(caller, 'operations:read'))
    }
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
  return { drain: () => void (isDraining = true) }
}

/** How many findings of the ledger are open; null when the database does not answer in time. */
async function openFindings(bank: Bank): Promise<number | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 500).unref())
  return Promise.race([countOpenFindings(bank.pool).catch(() => null), late])
}

function createMetrics(app: FastifyInstance, bank: Bank): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by route and status.',
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
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read())
      },
    })
  gauge('database_pool_total', 'Connections open.', () => bank.pool.totalCount)
  gauge(
    'database_pool_waiting',
    'Requests that wait for a connection.',
    () => bank.pool.waitingCount,
  )
  new Gauge({
    name: 'ledger_open_findings',
    help: 'Inconsistencies that checks of the ledger found and that are not corrected.',
    registers: [register],
    async collect() {
      const findings = await openFindings(bank)
      if (findings !== null) this.set(findings)
    },
  })
  gauge('event_log_head', 'Last position this process has seen.', () => Number(bank.events.head))
  if (bank.events.broker) measureBroker(register, () => bank.events.broker!)
  return register
}

function measureBroker(register: Registry, figures: () => BrokerFigures): void {
  new Gauge({
    name: 'event_broker_connected',
    help: 'Whether events of other processes arrive here over the broker: 1 or 0.',
    registers: [register],
    collect() {
      this.set(figures().isConnected ? 1 : 0)
    },
  })
  const counter = (name: string, help: string, read: (now: BrokerFigures) => number) =>
    new Counter({
      name,
      help,
      registers: [register],
      collect() {
        this.reset()
        this.inc(read(figures()))
      },
    })
  counter(
    'event_broker_reconnects_total',
    'Times the broker was lost and found again.',
    (now) => now.reconnects,
  )
  counter(
    'event_broker_published_total',
    'Events the broker took from this process.',
    (now) => now.published,
  )
  counter(
    'event_broker_refilled_gaps_total',
    'Reads of the database for what the broker lost or brought late.',
    (now) => now.refilledGaps,
  )
  counter(
    'event_broker_duplicates_total',
    'Events the broker brought that were known, and were dropped.',
    (now) => now.duplicates,
  )
}
