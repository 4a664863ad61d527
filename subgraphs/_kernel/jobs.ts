import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank } from './bank.ts'
import { realNow } from './clock.ts'
import type { Context } from './context.ts'
import { addMs, dateOf, type LocalDate } from './domain/dates.ts'
import { Problem } from './domain/problem.ts'
import { sqlState } from './sql-errors.ts'
import { statementName } from './statement-name.ts'
import { toJson } from './writes.ts'

/** How far a job is: of `total`, where that is known before the end. */
export interface Progress {
  businessDate: LocalDate
  done: number
  total: number | null
}

/** What the graph tells when somebody asks for a job; its subject is `job/<name>`. */
export const jobAsked = 'operations.job.asked'

const everyMs = 1000
/** How often a job is written down that found nothing to do. */
const quietMs = 20_000
/** A job that says nothing for so long is done by no process that is up. */
export const awayMs = 3 * quietMs
/** How often a job says that it is still at it, and how long that is believed. */
const longMs = 5000
const runningMs = 3 * longMs
const longestDetail = 300

/** Something that has a name and is done again and again: a worker. */
interface Recurring {
  name: string
  purpose: string
  everyMs: number
  followsClock?: boolean
  progress?(context: Context): Promise<Progress | null>
}

/** What this process knows of one job. */
interface Tally {
  job: Recurring
  businessDate: LocalDate | null
  runningSince: Date | null
  /** What the run in hand did until now. */
  done: number
  workedAt: Date | null
  lastDone: number | null
  succeededAt: Date | null
  failure: { at: Date; code: string; detail: string } | null
  /** Up to which time of the bank it has done what was due. */
  caughtUpTo: Date | null
  progress: Progress | null
  /** Something is to be said that was not said yet. */
  isNews: boolean
  /** When it was last said that it runs; null when it was said that it does not. */
  saidRunningAt: Date | null
}

/** The column of whoever spoke later, by the time in another. */
const laterOf = (time: string, column: string) =>
  `case when excluded.${time} >= coalesce(job.${time}, '-infinity') then excluded.${column} else job.${column} end`

/** Of two processes that do one job the later word stands. */
const writeSql = `
  insert into kernel.job as job (name, purpose, every_ms, business_date, seen_at, running_since,
    running_until, worked_at, last_done, succeeded_at, failed_at, error_code, error_detail,
    progress_date, progress_done, progress_total, follows_clock, caught_up_to)
  select name, purpose, every_ms, business_date, seen_at, running_since, running_until, worked_at,
    last_done, succeeded_at, failed_at, error_code, error_detail, progress_date, progress_done,
    progress_total, follows_clock, caught_up_to
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
    caught_up_to = greatest(job.caught_up_to, excluded.caught_up_to)`

/**
 * Writes down what becomes of the workers of this process: at most once a second, in one statement,
 * and not for a look that found nothing, of which it is enough to know every 20 seconds.
 */
export class JobRecorder {
  readonly #bank: Bank
  readonly #contextOf: () => Context
  readonly #tallies: ReadonlyMap<string, Tally>
  #quietSince = 0

  constructor(bank: Bank, jobs: readonly Recurring[], contextOf: () => Context) {
    this.#bank = bank
    this.#contextOf = contextOf
    this.#tallies = new Map(jobs.map((job) => [job.name, newTally(job)]))
  }

  began(name: string): void {
    const tally = this.#tallies.get(name)!
    tally.runningSince = realNow()
    tally.businessDate = dateOf(this.#bank.now())
    tally.done = 0
  }

  did(name: string, done: number): void {
    const tally = this.#tallies.get(name)!
    if (done === 0) return
    tally.done += done
    tally.workedAt = realNow()
    tally.lastDone = tally.done
    tally.isNews = true
  }

  ended(name: string): void {
    const tally = this.#tallies.get(name)!
    // The first time, and after a failure, that it goes is news.
    const isFirst = tally.succeededAt === null
    if (isFirst || (tally.failure && tally.failure.at > tally.succeededAt!)) tally.isNews = true
    tally.succeededAt = realNow()
    tally.runningSince = null
    if (tally.saidRunningAt) tally.isNews = true
  }

  /** Notes that jobs have done what was due at a time of the bank. */
  caughtUp(names: Iterable<string>, to: Date): void {
    for (const name of names) {
      const tally = this.#tallies.get(name)!
      tally.caughtUpTo = to
      tally.isNews = true
    }
  }

  failed(name: string, error: unknown): void {
    const tally = this.#tallies.get(name)!
    tally.failure = { at: realNow(), ...reasonOf(error) }
    tally.runningSince = null
    tally.isNews = true
  }

  /** Writes what is new once a second until `stopping`. */
  async record(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.write()
      await sleep(everyMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }

  /** Writes what is new; all there is when nothing was written for a while. What cannot be written now is later. */
  async write(): Promise<void> {
    const now = realNow()
    const isTime = now.getTime() - this.#quietSince >= quietMs
    const due = [...this.#tallies.values()].filter(
      (each) => isTime || each.isNews || isToSay(each, now),
    )
    if (due.length === 0) return
    const written = due.map((each) => ({ each, wasNews: each.isNews }))
    try {
      for (const each of due) {
        each.isNews = false
        each.saidRunningAt = isLong(each, now) ? now : null
        await this.#readProgress(each)
      }
      const text = writeSql
      const values = [toJson(due.map((each) => rowOf(each, now)))]
      await this.#bank.pool.query({ name: statementName(text), text, values })
      if (isTime) this.#quietSince = now.getTime()
    } catch (error) {
      for (const { each, wasNews } of written) each.isNews ||= wasNews
      this.#bank.log.warn({ error: (error as Error).message }, 'jobs cannot be written down')
    }
  }

  async #readProgress(tally: Tally): Promise<void> {
    const { job } = tally
    const progress = await job.progress?.(this.#contextOf()).catch(() => null)
    tally.progress = progress ?? tally.progress
  }
}

function newTally(job: Recurring): Tally {
  return {
    job,
    businessDate: null,
    runningSince: null,
    done: 0,
    workedAt: null,
    lastDone: null,
    succeededAt: null,
    failure: null,
    caughtUpTo: null,
    progress: null,
    isNews: true,
    saidRunningAt: null,
  }
}

/** Whether a run goes on for longer than a moment. */
function isLong({ runningSince }: Tally, now: Date): boolean {
  return runningSince !== null && runningSince < addMs(now, -everyMs)
}

/** Whether it is time to say that a run goes on. */
function isToSay(tally: Tally, now: Date): boolean {
  return isLong(tally, now) && (tally.saidRunningAt ?? 0) < addMs(now, -longMs)
}

function rowOf(tally: Tally, now: Date) {
  const { job, progress, failure } = tally
  return {
    name: job.name,
    purpose: job.purpose,
    every_ms: job.everyMs,
    business_date: tally.businessDate,
    seen_at: now,
    running_since: tally.saidRunningAt && tally.runningSince,
    running_until: tally.saidRunningAt && addMs(now, runningMs),
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
    caught_up_to: tally.caughtUpTo,
  }
}

/** What is recorded of a failure: the code of a problem, else INTERNAL and the kind of error; statements and values stay in the log. */
export function reasonOf(error: unknown): { code: string; detail: string } {
  if (error instanceof Problem) return { code: error.code, detail: error.message }
  const state = sqlState(error)
  const { name = 'Error', message = '' } = error as Partial<Error>
  const detail = state ? `The database refused it with SQLSTATE ${state}.` : `${name}: ${message}`
  // PostgreSQL keeps no NUL, and no half of a character that was cut in two.
  const kept = detail.slice(0, longestDetail).replaceAll('\0', '').toWellFormed()
  return { code: 'INTERNAL', detail: kept }
}

/** Calls back for each job that is asked for in the graph, whichever process was asked. */
export async function askedJobs(
  { events, log }: Bank,
  asked: (name: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  let position = events.head
  while (!stopping.aborted && events.isOpen) {
    try {
      const news = await events.after(position)
      for (const { type, subject } of news) {
        if (type === jobAsked) asked(subject.slice('job/'.length))
      }
      position = news.at(-1)?.position ?? position
      await events.moreThan(position, stopping)
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the log cannot be read for jobs')
      await sleep(everyMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
}
