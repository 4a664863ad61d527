import { Counter, Gauge, type Registry } from 'prom-client'
import type { Pool } from 'pg'
import type { Bank } from '../../kernel/environment/bank.ts'
import type { BrokerStatistics } from '../../kernel/events/event-broker.ts'
import { metersOf } from '../../kernel/telemetry/meters.ts'
import type { RunningWorkers } from '../../kernel/work/worker.ts'
import { degradations, writeFaults } from '../readiness-causes.ts'
import type { Readiness, ReadinessReport } from '../readiness.ts'

/** Adds what is read when the metrics of an environment are requested. */
export function measureEnvironment(bank: Bank, readiness: Readiness): void {
  const { registry } = metersOf(bank)
  measureReadiness(registry, readiness)
  measurePools(registry, bank)
  measureEvents(registry, bank, readiness)
  measureIdentities(registry, bank)
  if (bank.events.broker) measureBroker(registry, () => bank.events.broker!)
}

/** Adds the workers of this process. */
export function measureWorkers(bank: Bank, workers: RunningWorkers): void {
  const { registry } = metersOf(bank)
  const labelNames = ['job'] as const
  const gauge = (name: string, help: string, member: 'failingMs' | 'runningMs') =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const delay of workers.delays()) this.set({ job: delay.name }, delay[member] / 1000)
      },
    })
  const counter = (name: string, help: string, member: 'failureCount' | 'itemCount') =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const delay of workers.delays()) this.inc({ job: delay.name }, delay[member])
      },
    })
  gauge('job_failing_seconds', 'How long a job has failed; 0 after a success.', 'failingMs')
  gauge(
    'job_running_seconds',
    'How long the current pass of a job has completed no batch.',
    'runningMs',
  )
  counter('job_failures_total', 'Failed passes of a job.', 'failureCount')
  counter('job_items_total', 'Items that a job has completed.', 'itemCount')
}

function measureReadiness(registry: Registry, readiness: Readiness): void {
  const registers = [registry]
  // All metrics of one request are of the same report.
  let reading: Promise<ReadinessReport> | null = null
  const report = () => (reading ??= readiness.report().finally(() => (reading = null)))
  new Gauge({
    name: 'readiness_ready',
    help: 'Whether the process can serve requests: 1 or 0.',
    registers,
    async collect() {
      this.set((await report()).isReady ? 1 : 0)
    },
  })
  new Gauge({
    name: 'readiness_cause',
    help: 'Whether a cause makes the process unready or degraded: 1 or 0.',
    labelNames: ['cause'],
    registers,
    async collect() {
      const { causes } = await report()
      for (const cause of [...writeFaults, ...degradations]) {
        this.set({ cause }, causes.includes(cause) ? 1 : 0)
      }
    },
  })
  const known = (name: string, help: string, of: (report: ReadinessReport) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = of(await report())
        if (value !== null) this.set(value)
      },
    })
  known(
    'ledger_open_findings',
    'Open findings of the ledger checks.',
    ({ ledgerFindings }) => ledgerFindings,
  )
  known(
    'data_disk_free_bytes',
    'Free space on the disk with the data directory.',
    ({ disk }) => disk && disk.freeBytes,
  )
  gauge(
    registry,
    'database_write_probe_duration_seconds',
    'The time of the last write probe.',
    () => toSeconds(readiness.lastProbe?.durationMs),
  )
  gauge(
    registry,
    'database_clock_skew_seconds',
    'How far the clock of the database is ahead of the clock of the process.',
    () => toSeconds(readiness.lastProbe?.skewMs),
  )
}

const toSeconds = (ms: number | undefined) => (ms ?? 0) / 1000

function measurePools(registry: Registry, { pool, locks }: Bank): void {
  const pools: [name: string, pool: Pool][] = [
    ['main', pool],
    ['locks', locks],
  ]
  const label = 'db_client_connection_pool_name'
  const registers = [registry]
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Open database connections.',
    labelNames: [label, 'db_client_connection_state'],
    registers,
    collect() {
      for (const [name, { idleCount, totalCount }] of pools) {
        const states = { idle: idleCount, used: totalCount - idleCount }
        for (const [state, count] of Object.entries(states)) {
          this.set({ [label]: name, db_client_connection_state: state }, count)
        }
      }
    },
  })
  const perPool = (name: string, help: string, valueOf: (pool: Pool) => number) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        for (const [poolName, each] of pools) this.set({ [label]: poolName }, valueOf(each))
      },
    })
  perPool('db_client_connection_max', 'The connections that a pool may open.', (each) =>
    Number(each.options.max),
  )
  perPool(
    'db_client_connection_pending_requests',
    'Requests that wait for a database connection.',
    (each) => each.waitingCount,
  )
}

function measureEvents(registry: Registry, { events }: Bank, readiness: Readiness): void {
  gauge(
    registry,
    'event_log_head',
    'The last position of the event log that this process has read.',
    () => Number(events.head),
  )
  gauge(
    registry,
    'event_log_lag',
    'Positions that the event log had at the last write probe and that this process has not read.',
    () => Math.max(0, Number((readiness.lastProbe?.head ?? 0n) - events.head)),
  )
  new Counter({
    name: 'event_log_lost_events_total',
    help: 'Events that this process had read and that a failover of the database lost.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(events.losses.count)
    },
  })
  gauge(
    registry,
    'event_outbox_length',
    'Rows that waited in the outbox at the last write probe, at most 10,000.',
    () => readiness.lastProbe?.outboxLength ?? 0,
  )
}

/** Counts the records of the audit of identity, whose kinds and outcomes are enumerations. */
function measureIdentities(registry: Registry, { identities }: Bank): void {
  new Counter({
    name: 'identity_records_total',
    help: 'Log-ins, tokens, revocations and other actions of identity, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { kind, outcome, count } of identities.totals) this.inc({ kind, outcome }, count)
    },
  })
}

function measureBroker(registry: Registry, readStatistics: () => BrokerStatistics): void {
  gauge(
    registry,
    'event_broker_connected',
    'Whether this process is connected to the event broker: 1 or 0.',
    () => (readStatistics().isConnected ? 1 : 0),
  )
  const counter = (name: string, help: string, valueOf: (statistics: BrokerStatistics) => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(valueOf(readStatistics()))
      },
    })
  counter('event_broker_reconnects_total', 'Reconnects to the broker.', (now) => now.reconnects)
  counter(
    'event_broker_published_total',
    'Events that this process published to the broker.',
    (now) => now.published,
  )
  counter(
    'event_broker_refilled_gaps_total',
    'Database reads to fill gaps left by events that the broker lost or delivered late.',
    (now) => now.refilledGaps,
  )
  counter(
    'event_broker_duplicates_total',
    'Events from the broker that were dropped because they were already known.',
    (now) => now.duplicates,
  )
}

function gauge(registry: Registry, name: string, help: string, readValue: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(readValue())
    },
  })
}
