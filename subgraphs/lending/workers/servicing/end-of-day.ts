import type { EndOfDayRun } from '../../model/servicing/end-of-day.ts'
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
import { advanceRun, startRun } from '../../domain/servicing/end-of-day.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { requireFacility } from '../../commands/facilities/require-facility.ts'
import {
  countFacilitiesBehind,
  findFacilityIdsBehind,
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
 * so an interrupted run continues where it stopped. If the bank clock moves forward by a year, one
 * run closes all business dates of that year.
 */
export const closeEndOfDay: Worker = {
  name: 'lending.end-of-day',
  nightlyPhase: 'loans',
  followsClock: true,
  purpose: 'Closes the business date of every facility: interest, installments and arrears.',
  everyMs: 60_000,
  wakeOn: ['lending.facility.activated', 'operations.clock.advanced'],
  async run(context: Context): Promise<number> {
    const through = lastBusinessDate(context)
    const skippedIds = skippedIdsOf(context, through)
    for (;;) {
      const failuresBefore = skippedIds.size
      const processed = await closeBatchOrEach(context, through, skippedIds)
      if (processed > 0) return processed
      if (skippedIds.size > failuresBefore) continue
      // The round has ended. The next round retries the facilities that failed.
      skippedIds.clear()
      return 0
    }
  },
  progress: findLatestRun,
}

/**
 * The facilities whose end of day failed in the current round of this process. They are left out of
 * the batches until the round ends.
 */
interface SkippedFacilities {
  through: LocalDate
  facilityIds: Set<string>
}
const skippedByBank = new WeakMap<Bank, SkippedFacilities>()

function skippedIdsOf({ bank }: Context, through: LocalDate): Set<string> {
  const current = skippedByBank.get(bank)
  if (current?.through === through) return current.facilityIds
  const facilityIds = new Set<string>()
  skippedByBank.set(bank, { through, facilityIds })
  return facilityIds
}

async function closeBatchOrEach(
  context: Context,
  through: LocalDate,
  skippedIds: Set<string>,
): Promise<number> {
  try {
    return await closeBatch(context, batchSize, through, skippedIds)
  } catch (error) {
    if (isOutage(error)) throw error
    // One facility of the batch failed, or the batch had too many conflicts, so each facility is
    // processed in its own commit.
    context.bank.log.warn({ error }, 'the batch failed; its facilities are processed one by one')
    return closeEach(context, through, skippedIds)
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 : isUnavailable(error)
}

/**
 * Runs the end of day for the facilities that are furthest behind, in one commit with the progress
 * of the run. Returns the number of facilities processed. If two processes run concurrently, the
 * commits of one of them are retried with the remaining facilities.
 */
export function closeBatch(
  context: Context,
  size: number,
  through: LocalDate = lastBusinessDate(context),
  skippedIds: ReadonlySet<string> = new Set(),
): Promise<number> {
  return command(context, 'lending.end-of-day', {}, async () => {
    const [behindIds, run] = await Promise.all([
      findFacilityIdsBehind(context, through, size, skippedIds),
      findRun(context, through),
    ])
    const isLast = behindIds.length < size
    return closeWithRun(context, through, run, { behindIds, isLast, failureCount: skippedIds.size })
  })
}

/** The facilities to process in one commit. */
interface Batch {
  behindIds: readonly string[]
  /** Whether this is the last batch of the round: after it, only failed facilities are left. */
  isLast: boolean
  /** The number of facilities that failed in the current round. */
  failureCount: number
}

async function closeWithRun(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  batch: Batch,
): Promise<Decision<number>> {
  const closedBatch = await closeBatchDays(context, batch.behindIds, through)
  const progress = await progressOf(context, through, run, batch)
  return {
    result: batch.behindIds.length,
    writes: [...closedBatch.writes, ...progress.writes],
    events: [...progress.startEvents, ...closedBatch.events, ...progress.completionEvents],
    facts: closedBatch.facts,
  }
}

interface RunProgress {
  writes: Write[]
  startEvents: DomainEvent[]
  completionEvents: DomainEvent[]
}

/**
 * Returns the writes and the events that record a batch in the run of a date. All are empty if the
 * run was completed before the batch, or if there is no run and no facility to close.
 */
async function progressOf(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  { behindIds, isLast, failureCount }: Batch,
): Promise<RunProgress> {
  const noProgress = { writes: [], startEvents: [], completionEvents: [] }
  if (run?.completedAt || (!run && behindIds.length + failureCount === 0)) return noProgress
  const now = context.now()
  const currentRun = run ?? startRun(through, await countFacilitiesBehind(context, through), now)
  const after = advanceRun(currentRun, behindIds.length, isLast, now)
  const supersededRuns = isLast ? await findSupersededRuns(context, through) : []
  const completedRuns = supersededRuns.map((each) => ({ ...each, completedAt: now }))
  return {
    writes: [run ? updateRun(after) : insertRun(after), ...completedRuns.map(updateRun)],
    startEvents: run ? [] : [runEvent(currentRun, 'started')],
    completionEvents: isLast
      ? [runEvent({ ...after, version: after.version + 1 }, 'completed')]
      : [],
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
  skippedIds: Set<string>,
): Promise<number> {
  const behindIds = await findFacilityIdsBehind(context, through, batchSize, skippedIds)
  let processed = 0
  for (const facilityId of behindIds) {
    try {
      await command(context, 'lending.end-of-day', {}, async () => {
        const run = await findRun(context, through)
        const batch = { behindIds: [facilityId], isLast: false, failureCount: skippedIds.size }
        return closeWithRun(context, through, run, batch)
      })
      processed++
    } catch (error) {
      if (isOutage(error)) throw error
      context.bank.log.error({ error, facilityId }, 'the end of day of a facility failed')
      skippedIds.add(facilityId)
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
