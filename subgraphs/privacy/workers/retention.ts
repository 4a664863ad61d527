import { dayMs, addMs } from '../../../kernel/domain/dates.ts'
import {
  personalDataRegister,
  registeredRows,
  columnOf,
} from '../../../kernel/domain/personal-data.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { advanceConsumer, declareConsumer, readConsumer } from '../../../kernel/writing/consumer.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { findOpenBusiness } from '../commands/erasure.ts'
import { ownerOf } from '../domain/columns.ts'
import { namesOf, subjectFrom, type DataSubject } from '../domain/data-subject.ts'
import { nextDueAt, verdictOf } from '../domain/erasure-plan.ts'
import type { ErasureRequest } from '../model/erasure.ts'
import { erasureKind } from '../store/erasure.ts'
import { changesRows, readSteps } from '../store/erasure-steps.ts'
import {
  insertEnds,
  readDue,
  readEnds,
  scheduleNext,
  scheduleRetry,
  type RelationshipEnd,
} from '../store/relationship-end.ts'

const consumer = declareConsumer('privacy-relationship-ends')
const maxEvents = 1000
const batchSize = 100

/** The retention rules that the register uses for a kind of person. */
const usedRules = ({ kind }: DataSubject) =>
  registeredRows(personalDataRegister()).flatMap((rows) => [
    ...(ownerOf(rows, kind) === null ? [] : [rows.rule]),
    ...(ownerOf(rows, kind) === null ? [] : Object.values(rows.personal)).flatMap(
      (column) => columnOf(column).rule ?? [],
    ),
  ])

/** Records the end of each relationship, at which the retention periods start. */
export const recordRelationshipEnds: Worker = {
  name: 'privacy.record-relationship-ends',
  purpose:
    'Records when relationships with parties and employment end, when retention periods start.',
  everyMs: 60_000,
  wakeOn: ['parties.party.closed', 'staff.employee.left', 'staff.employee.roles-rejected'],
  run: (context) =>
    command(context, 'privacy.record-relationship-ends', {}, async () => {
      const { from, to } = await readConsumer(context.bank.pool, consumer, maxEvents)
      if (from === to) return { result: 0 }
      const ends = (await readEnds(context, from, to)).map((end): RelationshipEnd => {
        const rules = usedRules(subjectFrom(end.subject))
        return {
          ...end,
          nextDueAt: nextDueAt(rules, end.endedAt, end.endedAt),
          keepsRows: false,
          version: 1,
        }
      })
      const writes = [
        ...(ends.length > 0 ? [insertEnds(ends)] : []),
        advanceConsumer(consumer, from, to),
      ]
      return { result: Number(to - from), writes }
    }),
}

/** Starts the erasure of data whose retention period has ended. */
export const eraseExpired: Worker = {
  name: 'privacy.erase-expired',
  purpose: 'Starts the erasure of personal data whose retention period has ended.',
  everyMs: dayMs,
  followsClock: true,
  async run(context) {
    const due = await readDue(context, context.now(), batchSize)
    return processEach(context, due, (end) => startErasure(context, end))
  },
}

/**
 * Starts an erasure of everything that is due now. While business is open, it is postponed. If rows
 * were kept although their period had ended, it starts when one of them may be erased.
 */
function startErasure(context: Context, end: RelationshipEnd): Promise<number> {
  return command(context, 'privacy.erase-expired', {}, async () => {
    const { endedAt } = end
    const subject = subjectFrom(end.subject)
    const now = context.now()
    const open = subject.kind === 'party' ? await findOpenBusiness(context, subject.id) : []
    if (open.length > 0) {
      return { result: 1, writes: [scheduleNext(end, addMs(now, dayMs))] }
    }
    if (end.keepsRows && !(await isAnythingDue(context, end))) {
      return { result: 1, writes: [scheduleRetry(end, now)] }
    }
    const request: ErasureRequest = {
      erasureRequestId: context.newId('erasureRequest'),
      ...namesOf(subject),
      cause: 'retention',
      reason: 'A retention period ended.',
      state: 'approved',
      endedAt,
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
      completedAt: null,
      contentHash: '',
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const { events } = publicationOf(erasureKind, request, 'privacy.erasure-request.due')
    const next = scheduleNext(end, nextDueAt(usedRules(subject), endedAt, now))
    return { result: 1, writes: [erasureKind.insert(request), next], events }
  })
}

/** Returns whether an erasure would change anything. */
async function isAnythingDue(
  context: Context,
  { subject, endedAt }: RelationshipEnd,
): Promise<boolean> {
  const { kind, id } = subjectFrom(subject)
  const now = context.now()
  const steps = (await readSteps(context, kind)).filter(
    ({ rule }) => verdictOf(rule, { cause: 'retention', endedAt }, now).isDue,
  )
  return changesRows(context, steps, id)
}
