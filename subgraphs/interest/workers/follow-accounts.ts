import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import {
  advanceConsumer,
  declareConsumer,
  isBehindSql,
  readConsumer,
} from '../../../kernel/writing/consumer.ts'
import { decideEnrollment } from '../commands/enroll.ts'
import { readProducts } from '../commands/read-facts.ts'
import { isInterestBearing } from '../domain/terms.ts'
import { accountEvents, productEvents, readChangedIds } from '../store/changes.ts'
import { markBearing } from '../store/position.ts'

const consumer = declareConsumer('interest-accounts')
const maxEventsPerRun = 20_000

/**
 * Opens the interest position of each new account, follows the closure of accounts, and notices
 * product versions that begin to pay interest on existing accounts.
 */
export const followAccounts: Worker = {
  name: 'accounts.follow-interest',
  purpose: 'Follows the accounts and products that earn interest.',
  everyMs: dueFallbackMs,
  isDueSql: isBehindSql(consumer),
  wakeOn: [...accountEvents, ...productEvents],
  async run(context: Context): Promise<number> {
    const { bank } = context
    // Both steps process the same events, also if others are committed in between.
    const { from, to } = await readConsumer(bank.pool, consumer, maxEventsPerRun)
    if (from === to) return 0
    const { arrangementIds, productIds } = await readChangedIds(bank, from, to)
    await markProducts(context, productIds)
    return command(context, 'followInterestAccounts', null, async () => {
      const current = await readConsumer(bank.pool, consumer, maxEventsPerRun)
      // Another process was faster.
      if (current.from !== from) return { result: 0 }
      const { writes, ...published } = await decideEnrollment(context, arrangementIds)
      return {
        result: Number(to - from),
        ...published,
        writes: [advanceConsumer(consumer, from, to), ...writes],
      }
    })
  },
}

/**
 * Marks the accounts under products that changed. It comes before the commit that advances the
 * consumer, so that it is repeated if the process stops in between.
 */
async function markProducts(context: Context, productIds: readonly string[]): Promise<void> {
  for (const [productId, product] of await readProducts(context, productIds)) {
    const versions = product.versions.map(({ version }) => version)
    const bearing = versions.filter((version) => isInterestBearing(product, version))
    await markBearing(context, productId, bearing)
  }
}
