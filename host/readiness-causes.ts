/** Why the database accepts no writes: the process is not ready. */
export const writeFaults = [
  'database-unreachable',
  'database-read-only',
  'disk-full',
  'write-timeout',
  'write-failed',
] as const
export type WriteFault = (typeof writeFaults)[number]

/** Why a process that can serve requests does less than it should. */
export const degradations = [
  'ledger-findings',
  'pool-exhausted',
  'disk-low',
  'event-log-behind',
  'outbox-stuck',
  'worker-behind',
  'broker-disconnected',
  'clock-skew',
] as const
export type Degradation = (typeof degradations)[number]

export type Cause = WriteFault | Degradation

/** How long a state may last before it is a cause, in milliseconds. */
export const toleranceMs = {
  poolExhausted: 3000,
  eventLogBehind: 10_000,
  outboxStuck: 10_000,
  /** A worker that fails, or does not complete a batch. */
  worker: { failing: 60_000, running: 300_000 },
  /** Twice this difference between two machines ends the trust between processes. */
  clockSkew: 2000,
}

/** The share and the size of free disk space of which one must be left. */
const minFree = { share: 0.05, bytes: 2 * 1024 ** 3 }

/** What a process has observed about one environment. Durations are 0 while all is well. */
export interface Observations {
  /** Why the last write failed; null if it succeeded. */
  writeFault: WriteFault | null
  /** Whether the database has just answered a query. */
  isReadable: boolean
  /** The open findings of the ledger; null if they could not be counted. */
  ledgerFindings: number | null
  /** How long requests have waited for a connection because all of the pool are in use. */
  poolExhaustedMs: number
  /** The free space of the file system with the data directory; null if it is unknown. */
  disk: { freeBytes: number; totalBytes: number } | null
  /** How long this process has known a smaller position than the event log has. */
  eventLogBehindMs: number
  /** How long the first row of the outbox has waited. */
  outboxStuckMs: number
  /** The delay of each worker of this process. */
  workers: readonly WorkerDelay[]
  /** Whether the broker is connected; null if none is configured. */
  isBrokerConnected: boolean | null
  /** How far the clock of the database is ahead of the clock of this process. */
  clockSkewMs: number
}

/** How long a worker has failed, or has not completed a batch of its current pass. */
export interface WorkerDelay {
  name: string
  failingMs: number
  runningMs: number
}

/** Whether a worker is so late that an operator should know. */
export function isLate({ failingMs, runningMs }: WorkerDelay): boolean {
  return failingMs > toleranceMs.worker.failing || runningMs > toleranceMs.worker.running
}

/** Returns why a process is not ready or degraded, in the order of their declaration. */
export function causesOf(seen: Observations): Cause[] {
  const { disk, clockSkewMs } = seen
  const isPresent: Record<Degradation, boolean> = {
    'ledger-findings': (seen.ledgerFindings ?? 0) > 0,
    'pool-exhausted': seen.poolExhaustedMs >= toleranceMs.poolExhausted,
    'disk-low':
      disk !== null &&
      disk.freeBytes < minFree.bytes &&
      disk.freeBytes < minFree.share * disk.totalBytes,
    'event-log-behind': seen.eventLogBehindMs >= toleranceMs.eventLogBehind,
    'outbox-stuck': seen.outboxStuckMs >= toleranceMs.outboxStuck,
    'worker-behind': seen.workers.some(isLate),
    'broker-disconnected': seen.isBrokerConnected === false,
    'clock-skew': Math.abs(clockSkewMs) > toleranceMs.clockSkew,
  }
  const fault = seen.isReadable ? seen.writeFault : 'database-unreachable'
  const faults = new Set<Cause>([fault, seen.writeFault].filter((each) => each !== null))
  return [...faults, ...degradations.filter((name) => isPresent[name])]
}

/** Whether a process with these causes can still serve requests. */
export function canServe(causes: readonly Cause[]): boolean {
  return !causes.some((cause) => (writeFaults as readonly Cause[]).includes(cause))
}
