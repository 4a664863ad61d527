import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank } from '../environment/bank.ts'
import { realNow } from './clock.ts'
import type { Context } from '../environment/context.ts'
import { addMs, dateOf } from '../domain/dates.ts'
import { Problem } from '../domain/problem.ts'
import { outageOf } from '../database/outage.ts'
import { sqlState } from '../database/sql-errors.ts'
import { statementName } from '../database/statement-name.ts'
import { toJson } from '../writing/writes.ts'
import { delayOf, newTally, type JobDelay, type RecurringJob, type Tally } from './tally.ts'

const writeIntervalMs = 1000
/** The interval at which jobs without changes are recorded. */
const quietPeriodMs = 20_000
/** The age of a job's last record after which no process is assumed to run the job. */
export const staleAfterMs = 3 * quietPeriodMs
/** The interval at which a long run is reported. */
const reportIntervalMs = 5000
/** How long after a report a job is shown as running: one that ends, and one that never does. */
const shownAsRunningMs = { ending: 3 * reportIntervalMs, endless: staleAfterMs }
const maxDetailLength = 300

/** Returns SQL that keeps the value of `column` from the report with the later `timeColumn`. */
const laterOf = (timeColumn: string, column: string) =>
  `case when excluded.${timeColumn} >= coalesce(job.${timeColumn}, '-infinity') ` +
  `then excluded.${column} else job.${column} end`

/** If two processes run the same job, the later report wins. */
const writeSql = `
  insert into kernel.job as job (name, purpose, every_ms, business_date, seen_at, running_since,
    running_until, worked_at, last_done, succeeded_at, failed_at, error_code, error_detail,
    progress_date, progress_done, progress_total, follows_clock, caught_up_to, nightly_phase)
  select name, purpose, every_ms, business_date, seen_at, running_since, running_until, worked_at,
    last_done, succeeded_at, failed_at, error_code, error_detail, progress_date, progress_done,
    progress_total, follows_clock, caught_up_to, nightly_phase
  from json_populate_recordset(null::kernel.job, $1::json) order by name
  on conflict (name) do update set
    purpose = excluded.purpose,
    every_ms = excluded.every_ms,
    business_date = greatest(job.business_date, excluded.business_date),
    seen_at = greatest(job.seen_at, excluded.seen_at),
    running_since = excluded.running_since,
    running_until = excluded.running_until,
    worked_at = greatest(job.worked_at, excluded.worked_at),
    last_done = ${laterOf('worked_at', 'last_done')},
    succeeded_at = greatest(job.succeeded_at, excluded.succeeded_at),
    failed_at = greatest(job.failed_at, excluded.failed_at),
    error_code = ${laterOf('failed_at', 'error_code')},
    error_detail = ${laterOf('failed_at', 'error_detail')},
    progress_date = ${laterOf('progress_date', 'progress_date')},
    progress_done = ${laterOf('progress_date', 'progress_done')},
    progress_total = ${laterOf('progress_date', 'progress_total')},
    follows_clock = excluded.follows_clock,
    nightly_phase = excluded.nightly_phase,
    caught_up_to = greatest(job.caught_up_to, excluded.caught_up_to)`

/**
 * Records the runs of this process's workers, at most once a second and in one statement. Jobs
 * without changes are recorded only every 20 seconds.
 */
export class JobRecorder {
  readonly #bank: Bank
  readonly #contextOf: () => Context
  readonly #tallies: ReadonlyMap<string, Tally>
  #quietSince = 0

  constructor(bank: Bank, jobs: readonly RecurringJob[], contextOf: () => Context) {
    this.#bank = bank
    this.#contextOf = contextOf
    this.#tallies = new Map(jobs.map((job) => [job.name, newTally(job)]))
  }

  /** The delay of each job of this process. */
  delays(): JobDelay[] {
    const now = realNow()
    return [...this.#tallies.values()].map((tally) => delayOf(tally, now))
  }

  recordStart(name: string): void {
    const tally = this.#tallies.get(name)!
    tally.runningSince = realNow()
    tally.businessDate = dateOf(this.#bank.now())
    tally.mayHaveProgressed = true
    tally.done = 0
  }

  recordProgress(name: string, done: number): void {
    const tally = this.#tallies.get(name)!
    if (done === 0) return
    tally.done += done
    tally.itemCount += done
    tally.workedAt = realNow()
    tally.lastDone = tally.done
    tally.hasChanges = true
  }

  recordEnd(name: string): void {
    const tally = this.#tallies.get(name)!
    // The first success, and the first success after a failure, are recorded with the next write.
    const isFirst = tally.succeededAt === null
    if (isFirst || (tally.failure && tally.failure.at > tally.succeededAt!)) tally.hasChanges = true
    tally.succeededAt = realNow()
    tally.failingSince = null
    tally.runningSince = null
    if (tally.reportedRunningAt) tally.hasChanges = true
  }

  /** Records that jobs have caught up with the bank clock, up to `caughtUpTo`. */
  recordCaughtUp(names: Iterable<string>, caughtUpTo: Date): void {
    for (const name of names) {
      const tally = this.#tallies.get(name)!
      tally.caughtUpTo = caughtUpTo
      tally.hasChanges = true
    }
  }

  recordFailure(name: string, error: unknown): void {
    const tally = this.#tallies.get(name)!
    tally.failure = { at: realNow(), ...reasonOf(error) }
    tally.failingSince ??= tally.failure.at
    tally.failureCount++
    tally.runningSince = null
    tally.hasChanges = true
  }

  /** Writes changes once a second until `stopping` aborts. */
  async record(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.write()
      await sleep(writeIntervalMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }

  /**
   * Writes the jobs that have changed or have been running for long, and all jobs every 20 seconds.
   * After a failure, the next write includes the same changes.
   */
  async write(): Promise<void> {
    const now = realNow()
    const isFullWrite = now.getTime() - this.#quietSince >= quietPeriodMs
    const dueTallies = [...this.#tallies.values()].filter(
      (tally) => isFullWrite || tally.hasChanges || isWorthReporting(tally, now),
    )
    if (dueTallies.length === 0) return
    const reports = dueTallies.map((tally) => ({ tally, hadChanges: tally.hasChanges }))
    try {
      for (const tally of dueTallies) {
        tally.hasChanges = false
        tally.reportedRunningAt = isLong(tally, now) ? now : null
        await this.#readProgress(tally)
      }
      const text = writeSql
      const values = [toJson(dueTallies.map((tally) => rowOf(tally, now)))]
      await this.#bank.pool.query({ name: statementName(text), text, values })
      // The progress is not written again: another process may have a later one.
      for (const tally of dueTallies) tally.progress = null
      if (isFullWrite) this.#quietSince = now.getTime()
    } catch (error) {
      for (const { tally, hadChanges } of reports) tally.hasChanges ||= hadChanges
      if (!outageOf(this.#bank).explains(this.#bank, error)) {
        this.#bank.log.warn(
          { error: (error as Error).message },
          'failed to record jobs; retrying with the next write',
        )
      }
    }
  }

  async #readProgress(tally: Tally): Promise<void> {
    const { job, runningSince } = tally
    if (!job.progress || !tally.mayHaveProgressed) return
    // The progress of a run that goes on is read again with the next report.
    tally.mayHaveProgressed = runningSince !== null
    const progress = await job.progress(this.#contextOf()).catch(() => null)
    tally.progress = progress ?? tally.progress
  }
}

/** Whether a run has taken longer than a second. */
function isLong({ runningSince }: Tally, now: Date): boolean {
  return runningSince !== null && runningSince < addMs(now, -writeIntervalMs)
}

/**
 * Whether a long run is due for another report. A job that runs until it is stopped is reported once,
 * and then with all jobs.
 */
function isWorthReporting(tally: Tally, now: Date): boolean {
  if (!isLong(tally, now)) return false
  if (tally.reportedRunningAt === null) return true
  return !tally.job.runsUntilStopped && tally.reportedRunningAt < addMs(now, -reportIntervalMs)
}

function rowOf(tally: Tally, now: Date) {
  const { job, progress, failure } = tally
  const shownMs = shownAsRunningMs[job.runsUntilStopped ? 'endless' : 'ending']
  return {
    name: job.name,
    purpose: job.purpose,
    every_ms: job.everyMs,
    business_date: tally.businessDate,
    seen_at: now,
    running_since: tally.reportedRunningAt && tally.runningSince,
    running_until: tally.reportedRunningAt && addMs(now, shownMs),
    worked_at: tally.workedAt,
    last_done: tally.lastDone,
    succeeded_at: tally.succeededAt,
    failed_at: failure?.at ?? null,
    error_code: failure?.code ?? null,
    error_detail: failure?.detail ?? null,
    progress_date: progress?.businessDate ?? null,
    progress_done: progress?.done ?? null,
    progress_total: progress?.total ?? null,
    follows_clock: job.followsClock ?? false,
    nightly_phase: job.nightlyPhase ?? null,
    caught_up_to: tally.caughtUpTo,
  }
}

/**
 * Returns the code and the detail to record for a failure. For a Problem, these are its code and
 * message; for any other error, the code is INTERNAL. A database error is recorded only by its
 * SQLSTATE, because its message may contain values.
 */
export function reasonOf(error: unknown): { code: string; detail: string } {
  if (error instanceof Problem) return { code: error.code, detail: error.message }
  const state = sqlState(error)
  const { name = 'Error', message = '' } = error as Partial<Error>
  const detail = state
    ? `The database rejected a statement with SQLSTATE ${state}.`
    : `${name}: ${message}`
  // PostgreSQL cannot store NUL characters or lone surrogates; the slice may cut a surrogate pair.
  const storable = detail.slice(0, maxDetailLength).replaceAll('\0', '').toWellFormed()
  return { code: 'INTERNAL', detail: storable }
}
