import { command } from '../../../kernel/writing/command.ts'
import {
  advanceConsumer,
  declareConsumer,
  isBehindSql,
  readConsumer,
} from '../../../kernel/writing/consumer.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { readCreditedAccounts } from '../../../ledger/changes.ts'
import { collectReceivables } from '../commands/collect.ts'
import {
  areCollectionsQueuedSql,
  queueCollection,
  readQueuedAccounts,
  readUnblockedAccounts,
  unblockingEvents,
} from '../store/fee-receivable.ts'

const consumer = declareConsumer('operations-fee-collection')
const maxEventsPerRun = 20_000
const maxAccountsPerRun = 500

/**
 * Collects outstanding fees after an account was credited or unblocked, in two steps. The first
 * step reads the event log and queues the receivables of the credited and unblocked accounts. The
 * same commit stores the position that the step has reached in the log. The second step collects
 * from each account in a separate commit. After a crash, each step continues where it stopped.
 */
export const collectFees: Worker = {
  name: 'operations.collect-fees',
  purpose: 'Collects fees that remained due when accounts could not pay them.',
  everyMs: dueFallbackMs,
  isDueSql: `${isBehindSql(consumer)} or ${areCollectionsQueuedSql}`,
  pauseMs: 500,
  wakeOn: ['payments.posting-instruction.*', ...unblockingEvents],
  async run(context: Context): Promise<number> {
    const processedEvents = await queueDebitableAccounts(context)
    const accounts = await readQueuedAccounts(context, maxAccountsPerRun)
    const processedAccounts = await processEach(context, accounts, async (arrangementId) => {
      await collectReceivables(context, arrangementId)
    })
    return processedEvents + processedAccounts
  },
}

function queueDebitableAccounts(context: Context): Promise<number> {
  return command(context, 'queueFeeCollection', null, async () => {
    const { bank } = context
    const { from, to } = await readConsumer(bank.pool, consumer, maxEventsPerRun)
    if (from === to) return { result: 0 }
    const creditedIds = await readCreditedAccounts(bank.pool, from, to)
    const unblockedIds = await readUnblockedAccounts(bank, from, to)
    const accounts = [...new Set([...creditedIds, ...unblockedIds])]
    const writes = [
      advanceConsumer(consumer, from, to),
      ...(await queueCollection(context, accounts)),
    ]
    return { result: Number(to - from), writes }
  })
}
