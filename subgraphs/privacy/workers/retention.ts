import { dayMs, addMs } from '../../../kernel/domain/dates.ts'
import {
  personalDataRegister,
  registeredRows,
  columnOf,
} from '../../../kernel/domain/personal-data.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { advanceConsumer, readConsumer } from '../../../kernel/writing/consumer.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { findOpenBusiness } from '../commands/erasure.ts'
import { nextDueAt } from '../domain/erasure-plan.ts'
import type { ErasureRequest } from '../model/erasure.ts'
import { erasureKind } from '../store/erasure.ts'
import {
  insertEnds,
  readDue,
  readEnds,
  scheduleNext,
  type RelationshipEnd,
} from '../store/relationship-end.ts'

const consumer = 'privacy-relationship-ends'
const maxEvents = 1000
const batchSize = 100

/** The retention rules that the register uses. */
const usedRules = () =>
  registeredRows(personalDataRegister()).flatMap(({ rule, personal }) => [
    rule,
    ...Object.values(personal).flatMap((column) => columnOf(column).rule ?? []),
  ])

/** Records the end of each relationship, at which the retention periods start. */
export const recordRelationshipEnds: Worker = {
  name: 'privacy.record-relationship-ends',
  purpose: 'Records when the relationships with parties end, because retention periods start then.',
  everyMs: 60_000,
  wakeOn: ['parties.party.closed'],
  run: (context) =>
    command(context, 'privacy.record-relationship-ends', {}, async () => {
      const { from, to } = await readConsumer(context.bank.pool, consumer, maxEvents)
      if (from === to) return { result: 0 }
      const ends = (await readEnds(context, from, to)).map((end): RelationshipEnd => {
        return { ...end, nextDueAt: nextDueAt(usedRules(), end.endedAt, end.endedAt), version: 1 }
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

/** Starts an erasure of everything that is due now. While business is open, it is postponed. */
function startErasure(context: Context, end: RelationshipEnd): Promise<number> {
  return command(context, 'privacy.erase-expired', {}, async () => {
    const { partyId, endedAt } = end
    const now = context.now()
    const open = await findOpenBusiness(context, partyId)
    if (open.length > 0) {
      return { result: 1, writes: [scheduleNext(end, addMs(now, dayMs))] }
    }
    const request: ErasureRequest = {
      erasureRequestId: context.newId('erasureRequest'),
      partyId,
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
    const next = scheduleNext(end, nextDueAt(usedRules(), endedAt, now))
    return { result: 1, writes: [erasureKind.insert(request), next], events }
  })
}
