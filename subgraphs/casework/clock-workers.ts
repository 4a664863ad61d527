import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addMs, minuteMs } from '../_kernel/domain/dates.ts'
import { publish } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import { contentsOf } from './contents/contents.ts'
import { alarmOf } from './domain/clock.ts'
import { ringAlarm } from './domain/case.ts'
import { erase } from './domain/document.ts'
import { record } from './domain/timeline.ts'
import { caseKind, findRinging, insertEntries, writeAlarms } from './store/case.ts'
import {
  deleteContents,
  discardContents,
  documentKind,
  findContents,
  findDiscardable,
  findErasable,
  writeErased,
  type Content,
} from './store/document.ts'

const batchSize = 50
/** The delay before deleting content is retried. */
const againMs = 60 * minuteMs

/** Reports cases that are at risk of breaching their due time, or have breached it. */
export const watchClocks: Worker = {
  name: 'casework.watch-clocks',
  followsClock: true,
  purpose: 'Reports cases that are at risk of breaching their due time, or have breached it.',
  everyMs: 10_000,
  run: (context) =>
    command(context, 'casework.watch-clocks', {}, async () => {
      const now = context.now()
      const ringing = await findRinging(context, now, batchSize)
      if (ringing.length === 0) return { result: 0 }
      const rung = ringing.map((before) => {
        const alarm = alarmOf(before, now)!
        const by = context.caller.subject
        const { about, entries } = record(ringAlarm(before, alarm, now), [{ kind: alarm }], by, now)
        const after = { ...about, version: before.version + 1, updatedAt: now }
        return { after, entries, ...publish(caseKind, after, `casework.case.sla-${alarm}`) }
      })
      return {
        result: rung.length,
        writes: [
          writeAlarms(rung.map(({ after }) => after)),
          insertEntries(rung.flatMap(({ entries }) => entries)),
        ],
        events: rung.flatMap(({ events }) => events),
        facts: rung.flatMap(({ facts }) => facts),
      }
    }),
}

/**
 * Erases documents whose retention period has ended and that have no legal hold. `deleteDiscarded`
 * deletes their bytes.
 */
export const eraseDocuments: Worker = {
  name: 'casework.erase-documents',
  followsClock: true,
  purpose: 'Erases documents whose retention period has ended and that have no legal hold.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'casework.erase-documents', {}, async () => {
      const now = context.now()
      const erasable = await findErasable(context, now, batchSize)
      if (erasable.length === 0) return { result: 0 }
      const erased = erasable.map((before) => ({
        ...erase(before, now),
        version: before.version + 1,
        updatedAt: now,
      }))
      const ids = erasable.flatMap(({ versions }) => versions.map(({ contentId }) => contentId))
      const contents = await findContents(context, ids)
      return {
        result: erased.length,
        writes: [writeErased(erased), discardContents(contents, now)],
        events: erased.flatMap(
          (after) => publish(documentKind, after, 'casework.document.erased').events,
        ),
      }
    }),
}

/**
 * Deletes the bytes of erased documents and of uploads that were not attached in time. It first
 * marks the content as discarded, so that it can no longer be attached, then deletes the bytes,
 * then the row: a crash in between repeats the remaining steps. Failed deletions are retried after
 * an hour.
 */
export const deleteDiscarded: Worker = {
  name: 'casework.delete-discarded',
  purpose: 'Deletes the bytes of erased documents and of uploads that were not attached in time.',
  everyMs: 60_000,
  wakeOn: ['casework.document.erased'],
  async run(context) {
    const discarded = await command(context, 'casework.discard', {}, async () => {
      const now = context.now()
      const found = await findDiscardable(context, now, batchSize)
      const late = found.filter(({ state }) => state === 'awaited')
      const writes = late.length === 0 ? [] : [discardContents(late, now)]
      return { result: found, writes }
    })
    if (discarded.length === 0) return 0
    const deleted = await deleteBytes(context, discarded)
    return command(context, 'casework.forget-contents', {}, async () => {
      const ids = discarded.map(({ contentId }) => contentId)
      const left = await findContents(context, ids)
      const gone = left.filter(({ contentId }) => deleted.has(contentId))
      const kept = left.filter(({ contentId }) => !deleted.has(contentId))
      const writes = [
        ...(gone.length > 0 ? [deleteContents(gone)] : []),
        ...(kept.length > 0 ? [discardContents(kept, addMs(context.now(), againMs))] : []),
      ]
      return { result: deleted.size, writes }
    })
  },
}

/** Deletes the bytes of contents and returns the ids of those that were deleted. */
async function deleteBytes({ bank }: Context, contents: readonly Content[]): Promise<Set<string>> {
  const store = contentsOf(bank)
  const deleted = new Set<string>()
  for (const { contentId } of contents) {
    try {
      await store.delete(contentId)
      deleted.add(contentId)
    } catch (error) {
      bank.log.error({ error, contentId }, 'content could not be deleted')
    }
  }
  return deleted
}
