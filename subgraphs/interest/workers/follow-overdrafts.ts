import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import {
  advanceConsumer,
  declareConsumer,
  isBehindSql,
  readConsumer,
} from '../../../kernel/writing/consumer.ts'
import { decideFollowing } from '../commands/follow-overdrafts.ts'
import { accountEvents, readChangedIds, readOverdrawnIds } from '../store/changes.ts'

const consumer = declareConsumer('interest-overdrafts')
const maxEventsPerRun = 20_000

/**
 * Begins to follow accounts that have a limit or were overdrawn although their product version has no
 * overdraft terms, so that the nightly job derives how long their customers have owed. It has a
 * position of its own in the event log: in a database of the former release, it reads the log from the
 * beginning.
 */
export const followOverdrafts: Worker = {
  name: 'accounts.follow-overdrafts',
  purpose: 'Finds accounts that are overdrawn although their product has no overdraft terms.',
  everyMs: dueFallbackMs,
  duePauseMs: 10_000,
  isDueSql: isBehindSql(consumer),
  wakeOn: accountEvents,
  run: (context: Context) =>
    command(context, 'followOverdrafts', null, async () => {
      const { bank } = context
      const { from, to } = await readConsumer(bank.pool, consumer, maxEventsPerRun)
      if (from === to) return { result: 0 }
      const [{ arrangementIds }, overdrawnIds] = await Promise.all([
        readChangedIds(bank, from, to),
        readOverdrawnIds(bank, from, to),
      ])
      const ids = [...new Set([...arrangementIds, ...overdrawnIds])]
      const { writes, ...published } = await decideFollowing(context, ids, new Set(overdrawnIds))
      return {
        result: Number(to - from),
        ...published,
        writes: [advanceConsumer(consumer, from, to), ...writes],
      }
    }),
}
