import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { contentsOf } from '../contents/contents.ts'
import { alarmOf } from '../domain/clock.ts'
import { raiseAlarm } from '../domain/case.ts'
import { erase } from '../domain/document.ts'
import { appendToTimeline } from '../domain/timeline.ts'
import {
  areAlarmsDueSql,
  caseKind,
  findDueAlarms,
  insertEntries,
  writeAlarms,
} from '../store/case.ts'
import {
  deleteContents,
  discardContents,
  documentKind,
  findContents,
  findDiscardable,
  findErasable,
  writeErased,
  type Content,
} from '../store/document.ts'

const batchSize = 50
/** The delay before a failed deletion is retried. */
const retryDelayMs = 60 * minuteMs

/** Reports cases that are at risk of missing their deadline, or have missed it. */
export const watchDeadlines: Worker = {
  name: 'casework.watch-clocks',
  followsClock: true,
  purpose: 'Reports cases that are at risk of missing their deadline, or have missed it.',
  everyMs: dueFallbackMs,
  isDueSql: areAlarmsDueSql,
  run: (context) =>
    command(context, 'casework.watch-clocks', {}, async () => {
      const now = context.now()
      const dueCases = await findDueAlarms(context, now, batchSize)
      if (dueCases.length === 0) return { result: 0 }
      const alarms = dueCases.map((before) => {
        const alarm = alarmOf(before, now)!
        const by = context.caller.subject
        const { caseFile, entries } = appendToTimeline(
          raiseAlarm(before, alarm, now),
          [{ kind: alarm }],
          by,
          now,
        )
        const after = { ...caseFile, version: before.version + 1, updatedAt: now }
        return { after, entries, ...publicationOf(caseKind, after, `casework.case.sla-${alarm}`) }
      })
      return {
        result: alarms.length,
        writes: [
          writeAlarms(alarms.map(({ after }) => after)),
          insertEntries(alarms.flatMap(({ entries }) => entries)),
        ],
        events: alarms.flatMap(({ events }) => events),
        facts: alarms.flatMap(({ facts }) => facts),
      }
    }),
}

/**
 * Erases documents whose retention period has ended and that have no legal hold. The worker
 * `deleteDiscarded` then deletes their bytes.
 */
export const eraseDocuments: Worker = {
  name: 'casework.erase-documents',
  followsClock: true,
  purpose: 'Erases documents whose retention period has ended and that have no legal hold.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'casework.erase-documents', {}, async () => {
      const now = context.now()
      const erasableDocuments = await findErasable(context, now, batchSize)
      if (erasableDocuments.length === 0) return { result: 0 }
      const erasedDocuments = erasableDocuments.map((before) => ({
        ...erase(before, now),
        version: before.version + 1,
        updatedAt: now,
      }))
      const ids = erasableDocuments.flatMap(({ versions }) =>
        versions.map(({ contentId }) => contentId),
      )
      const contents = await findContents(context, ids)
      return {
        result: erasedDocuments.length,
        writes: [writeErased(erasedDocuments), discardContents(contents, now)],
        events: erasedDocuments.flatMap(
          (after) => publicationOf(documentKind, after, 'casework.document.erased').events,
        ),
      }
    }),
}

/**
 * Deletes the bytes of erased documents and of uploads that were not attached in time. Unattached
 * content is first marked as discarded, so that it can no longer be attached. Then the bytes are
 * deleted, and finally the rows. After a crash, the next run repeats the remaining steps. A failed
 * deletion is retried after an hour.
 */
export const deleteDiscarded: Worker = {
  name: 'casework.delete-discarded',
  purpose: 'Deletes the bytes of erased documents and of uploads that were not attached in time.',
  everyMs: 60_000,
  wakeOn: ['casework.document.erased'],
  async run(context) {
    const discardedContents = await command(context, 'casework.discard', {}, async () => {
      const now = context.now()
      const found = await findDiscardable(context, now, batchSize)
      const unattached = found.filter(({ state }) => state === 'awaited')
      const writes = unattached.length === 0 ? [] : [discardContents(unattached, now)]
      return { result: found, writes }
    })
    if (discardedContents.length === 0) return 0
    const deletedIds = await deleteBytes(context, discardedContents)
    return command(context, 'casework.record-deleted-contents', {}, async () => {
      const ids = discardedContents.map(({ contentId }) => contentId)
      const remainingRows = await findContents(context, ids)
      const deletedRows = remainingRows.filter(({ contentId }) => deletedIds.has(contentId))
      const failedRows = remainingRows.filter(({ contentId }) => !deletedIds.has(contentId))
      const writes = [
        ...(deletedRows.length > 0 ? [deleteContents(deletedRows)] : []),
        ...(failedRows.length > 0
          ? [discardContents(failedRows, addMs(context.now(), retryDelayMs))]
          : []),
      ]
      return { result: deletedIds.size, writes }
    })
  },
}

/** Deletes the bytes of content records. Returns the IDs of records whose bytes were deleted. */
async function deleteBytes({ bank }: Context, contents: readonly Content[]): Promise<Set<string>> {
  const store = contentsOf(bank)
  const deletedIds = new Set<string>()
  for (const { contentId } of contents) {
    try {
      await store.delete(contentId)
      deletedIds.add(contentId)
    } catch (error) {
      bank.log.error({ error, contentId }, 'content could not be deleted')
    }
  }
  return deletedIds
}
