import { requireBank } from '../../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../../kernel/environment/bank.ts'
import { command, type Decision } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../../domain/problems.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { reasonOf } from '../../../../kernel/work/jobs.ts'
import { isUnavailable } from '../../../../kernel/database/sql-errors.ts'
import type { Worker } from '../../../../kernel/work/worker.ts'
import type { Write } from '../../../../kernel/writing/writes.ts'
import { closeBatchDays } from './close-page.ts'
import { advanceRun, startRun, type EndOfDayRun } from '../../domain/servicing/end-of-day.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { requireFacility } from '../../commands/facilities/require-facility.ts'
import {
  countBehind,
  findBehind,
  findLatestRun,
  findSupersededRuns,
  findRun,
  insertRun,
  updateRun,
} from '../../store/servicing/end-of-day.ts'
import { recordFailure } from '../../store/servicing/end-of-day-position.ts'

const batchSize = 200

/** Returns the last business date that has ended. */
export function lastBusinessDate(context: Context): LocalDate {
  return addDays(dateOf(context.now()), -1)
}

/**
 * Runs the end of day, up to 200 facilities per commit. Each facility row stores its own progress,
 * so an interrupted run continues where it stopped. If the bank clock moves forward by a year, this
 * is one run.
 */
export const closeEndOfDay: Worker = {
  name: 'lending.end-of-day',
  followsClock: true,
  purpose: 'Closes the business date of every facility: interest, installments and arrears.',
  everyMs: 10_000,
  wakeOn: ['lending.facility.activated', 'operations.clock.advanced'],
  async run(context: Context): Promise<number> {
    const through = lastBusinessDate(context)
    const skipped = skippedOf(context, through)
    for (;;) {
      const failuresBefore = skipped.size
      const processed = await closeBatchOrEach(context, through, skipped)
      if (processed > 0) return processed
      if (skipped.size > failuresBefore) continue
      // The round has ended. The next round retries the facilities that failed.
      skipped.clear()
      return 0
    }
  },
  progress: findLatestRun,
}

/**
 * The facilities whose end of day failed in the current round of this process. The other facilities
 * are processed without them.
 */
interface Skipped {
  through: LocalDate
  facilityIds: Set<string>
}
const skippedByBank = new WeakMap<Bank, Skipped>()

function skippedOf({ bank }: Context, through: LocalDate): Set<string> {
  const current = skippedByBank.get(bank)
  if (current?.through === through) return current.facilityIds
  const facilityIds = new Set<string>()
  skippedByBank.set(bank, { through, facilityIds })
  return facilityIds
}

async function closeBatchOrEach(
  context: Context,
  through: LocalDate,
  skipped: Set<string>,
): Promise<number> {
  try {
    return await closeBatch(context, batchSize, through, skipped)
  } catch (error) {
    if (isOutage(error)) throw error
    // One facility of the batch failed, or the batch had too many conflicts, so each facility is
    // processed in its own commit.
    context.bank.log.warn({ error }, 'the batch failed; its facilities are processed one by one')
    return closeEach(context, through, skipped)
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 : isUnavailable(error)
}

/**
 * Runs the end of day for the facilities that are furthest behind, in one commit with the progress
 * of the run. Returns their number. If two processes run concurrently, the commits of one of them
 * are retried with the remaining facilities.
 */
export function closeBatch(
  context: Context,
  size: number,
  through: LocalDate = lastBusinessDate(context),
  skipped: ReadonlySet<string> = new Set(),
): Promise<number> {
  return command(context, 'lending.end-of-day', {}, async () => {
    const [behind, run] = await Promise.all([
      findBehind(context, through, size, skipped),
      findRun(context, through),
    ])
    const isLast = behind.length < size
    return closeWithRun(context, through, run, { behind, isLast, failures: skipped.size })
  })
}

/** The facilities to process in one commit. */
interface Batch {
  behind: readonly string[]
  /** Whether only failed facilities are left. */
  isLast: boolean
  failures: number
}

async function closeWithRun(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  batch: Batch,
): Promise<Decision<number>> {
  const page = await closeBatchDays(context, batch.behind, through)
  const step = await stepOf(context, through, run, batch)
  return {
    result: batch.behind.length,
    writes: [...page.writes, ...step.writes],
    events: [...step.started, ...page.events, ...step.completed],
    facts: page.facts,
  }
}

interface Step {
  writes: Write[]
  started: DomainEvent[]
  completed: DomainEvent[]
}

/**
 * Returns the update and the events of the run after a batch. Facilities that are processed after
 * the run of a date was completed do not change the run.
 */
async function stepOf(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  { behind, isLast, failures }: Batch,
): Promise<Step> {
  const nothing = { writes: [], started: [], completed: [] }
  if (run?.completedAt || (!run && behind.length + failures === 0)) return nothing
  const now = context.now()
  const currentRun = run ?? startRun(through, await countBehind(context, through), now)
  const after = advanceRun(currentRun, behind.length, isLast, now)
  const overtaken = isLast ? await findSupersededRuns(context, through) : []
  const completedRuns = overtaken.map((each) => ({ ...each, completedAt: now }))
  return {
    writes: [run ? updateRun(after) : insertRun(after), ...completedRuns.map(updateRun)],
    started: run ? [] : [runEvent(currentRun, 'started')],
    completed: isLast ? [runEvent({ ...after, version: after.version + 1 }, 'completed')] : [],
  }
}

function runEvent(run: EndOfDayRun, eventName: 'started' | 'completed'): DomainEvent {
  const { businessDate, total, done, version } = run
  return {
    type: `lending.end-of-day.${eventName}`,
    subject: `end-of-day/${businessDate}`,
    version,
    data: { businessDate, total, done },
    parties: [],
  }
}

async function closeEach(
  context: Context,
  through: LocalDate,
  skipped: Set<string>,
): Promise<number> {
  const behind = await findBehind(context, through, batchSize, skipped)
  let processed = 0
  for (const facilityId of behind) {
    try {
      await command(context, 'lending.end-of-day', {}, async () => {
        const run = await findRun(context, through)
        const batch = { behind: [facilityId], isLast: false, failures: skipped.size }
        return closeWithRun(context, through, run, batch)
      })
      processed++
    } catch (error) {
      if (isOutage(error)) throw error
      context.bank.log.error({ error, facilityId }, 'the end of day of a facility failed')
      skipped.add(facilityId)
      await recordFailure(context, facilityId, through, reasonOf(error))
    }
  }
  return processed
}

/**
 * Runs the end of day of one facility for all business dates that have ended. Throws
 * FACILITY_NOT_FOUND and NOT_FOR_DELEGATED_USERS.
 */
export async function closeFacilityDays(context: Context, facilityId: string): Promise<Facility> {
  requireBank(context)
  await requireFacility(context, facilityId)
  await closeOne(context, facilityId)
  return requireFacility(context, facilityId)
}

function closeOne(context: Context, facilityId: string): Promise<null> {
  return command(context, 'lending.close-facility', { facilityId }, async () => {
    const { writes, events, facts } = await closeBatchDays(
      context,
      [facilityId],
      lastBusinessDate(context),
    )
    return { result: null, resourceId: facilityId, retainsKey: true, writes, events, facts }
  })
}
