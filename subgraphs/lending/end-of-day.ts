import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
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
  purpose: 'Closes the business day of every facility: interest, instalments, arrears.',
  everyMs: 10_000,
  wakeOn: ['lending.facility.activated', 'operations.clock.advanced'],
  async run(context: Context): Promise<number> {
    try {
      return await closeBatch(context, batchSize)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // One of them is in the way, or too much moves at once: each for itself.
      context.bank.log.warn({ error }, 'facilities are closed one by one')
      return closeEach(context)
    }
  },
  progress: findLatestRun,
}

/**
 * Closes the facilities that are furthest behind, in one commit with how far the run is. Answers
 * how many; of two processes that meet, one goes on with those that are left.
 */
export function closeBatch(context: Context, size: number): Promise<number> {
  return command(context, 'lending.end-of-day', {}, async () => {
    const through = lastBusinessDate(context)
    const [behind, run] = await Promise.all([
      findBehind(context, through, size),
      findRun(context, through),
    ])
    const isLast = behind.length < size
    const page = await closePage(context, behind, through)
    const step = await stepOf(context, run, behind.length, isLast)
    return {
      result: behind.length,
      writes: [...page.writes, ...step.writes],
      events: [...step.started, ...page.events, ...step.completed],
      facts: page.facts,
    }
  })
}

interface Step {
  writes: Write[]
  started: Told[]
  completed: Told[]
}

/** What a batch means for the run of the day. Who comes late to a day that is complete has no run. */
async function stepOf(
  context: Context,
  run: EndOfDayRun | null,
  closed: number,
  isLast: boolean,
): Promise<Step> {
  const nothing = { writes: [], started: [], completed: [] }
  if (run?.completedAt || (!run && closed === 0)) return nothing
  const now = context.now()
  const through = lastBusinessDate(context)
  const begun = run ?? startRun(through, await countBehind(context, through), now)
  const after = advanceRun(begun, closed, isLast, now)
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

async function closeEach(context: Context): Promise<number> {
  const behind = await findBehind(context, lastBusinessDate(context), batchSize)
  let closed = 0
  for (const facilityId of behind) {
    try {
      await closeOne(context, facilityId)
      closed++
    } catch (error) {
      context.bank.log.error({ error, facilityId }, 'the end of its day failed')
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
