import { requireBank } from '../_kernel/auth.ts'
import type { Bank } from '../_kernel/bank.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { reasonOf } from '../_kernel/jobs.ts'
import { isUnavailable } from '../_kernel/sql-errors.ts'
import type { Worker } from '../_kernel/worker.ts'
import type { Write } from '../_kernel/writes.ts'
import { closePage } from './close-page.ts'
import { advanceRun, startRun, type EndOfDayRun } from './domain/end-of-day.ts'
import type { Facility } from './domain/facility.ts'
import { requireFacility } from './repayments.ts'
import {
  countBehind,
  findBehind,
  findLatestRun,
  findOvertaken,
  findRun,
  insertRun,
  updateRun,
} from './store/end-of-day.ts'
import { recordFailure } from './store/end-of-day-position.ts'

const batchSize = 200

/** The last business day that is over. */
export function lastBusinessDate(context: Context): LocalDate {
  return addDays(dateOf(context.now()), -1)
}

/**
 * Works the ends of days through, some hundred facilities in a commit; each one's own row is the
 * checkpoint, so it goes on wherever it was cut off. A clock that moved by a year is one run.
 */
export const closeEndOfDay: Worker = {
  name: 'lending.end-of-day',
  followsClock: true,
  purpose: 'Closes the business day of every facility: interest, instalments, arrears.',
  everyMs: 10_000,
  wakeOn: ['lending.facility.activated', 'operations.clock.advanced'],
  async run(context: Context): Promise<number> {
    const through = lastBusinessDate(context)
    const skipped = skippedOf(context, through)
    for (;;) {
      const failures = skipped.size
      const closed = await closeBatchOrEach(context, through, skipped)
      if (closed > 0) return closed
      if (skipped.size > failures) continue
      // The round is over: the next one tries those again that failed.
      skipped.clear()
      return 0
    }
  },
  progress: findLatestRun,
}

/** Facilities whose end of the day failed in this round of this process; the others go on without them. */
interface Skipped {
  through: LocalDate
  facilityIds: Set<string>
}
const skippedByBank = new WeakMap<Bank, Skipped>()

function skippedOf({ bank }: Context, through: LocalDate): Set<string> {
  const known = skippedByBank.get(bank)
  if (known?.through === through) return known.facilityIds
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
    // One of them cannot be closed, or too much changes at once: each in a commit of its own.
    context.bank.log.warn({ error }, 'facilities are closed one by one')
    return closeEach(context, through, skipped)
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 : isUnavailable(error)
}

/**
 * Closes the facilities that are furthest behind, in one commit with the progress of the run. Returns
 * how many; of two processes that meet, one goes on with those that are left.
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

/** What is closed in one commit. */
interface Batch {
  behind: readonly string[]
  /** Nothing is left but what failed. */
  isLast: boolean
  failures: number
}

async function closeWithRun(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  batch: Batch,
): Promise<Decision<number>> {
  const page = await closePage(context, batch.behind, through)
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
  started: Told[]
  completed: Told[]
}

/** What a batch means for the run of the day. A facility that is late for a completed day has no run. */
async function stepOf(
  context: Context,
  through: LocalDate,
  run: EndOfDayRun | null,
  { behind, isLast, failures }: Batch,
): Promise<Step> {
  const nothing = { writes: [], started: [], completed: [] }
  if (run?.completedAt || (!run && behind.length + failures === 0)) return nothing
  const now = context.now()
  const begun = run ?? startRun(through, await countBehind(context, through), now)
  const after = advanceRun(begun, behind.length, isLast, now)
  const overtaken = isLast ? await findOvertaken(context, through) : []
  const over = overtaken.map((each) => ({ ...each, completedAt: now }))
  return {
    writes: [run ? updateRun(after) : insertRun(after), ...over.map(updateRun)],
    started: run ? [] : [toldOf(begun, 'started')],
    completed: isLast ? [toldOf({ ...after, version: after.version + 1 }, 'completed')] : [],
  }
}

function toldOf(run: EndOfDayRun, fact: 'started' | 'completed'): Told {
  const { businessDate, total, done, version } = run
  return {
    type: `lending.end-of-day.${fact}`,
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
  let closed = 0
  for (const facilityId of behind) {
    try {
      await command(context, 'lending.end-of-day', {}, async () => {
        const run = await findRun(context, through)
        const batch = { behind: [facilityId], isLast: false, failures: skipped.size }
        return closeWithRun(context, through, run, batch)
      })
      closed++
    } catch (error) {
      if (isOutage(error)) throw error
      context.bank.log.error({ error, facilityId }, 'the end of the day of a facility failed')
      skipped.add(facilityId)
      await recordFailure(context, facilityId, through, reasonOf(error))
    }
  }
  return closed
}

/**
 * Works the ends of days of one facility through that are over, as the night does for all.
 * Refuses with FACILITY_NOT_FOUND, NOT_FOR_DELEGATED_USERS.
 */
export async function closeFacilityDays(context: Context, facilityId: string): Promise<Facility> {
  requireBank(context)
  await requireFacility(context, facilityId)
  await closeOne(context, facilityId)
  return requireFacility(context, facilityId)
}

function closeOne(context: Context, facilityId: string): Promise<null> {
  return command(context, 'lending.close-facility', { facilityId }, async () => {
    const { writes, events, facts } = await closePage(
      context,
      [facilityId],
      lastBusinessDate(context),
    )
    return { result: null, resourceId: facilityId, isKeyKept: true, writes, events, facts }
  })
}
