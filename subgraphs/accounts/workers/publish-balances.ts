import { readHolders } from '../../../kernel/authorization/holders.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import {
  advanceConsumer,
  declareConsumer,
  isBehindSql,
  readConsumer,
} from '../../../kernel/writing/consumer.ts'
import { balanceAmountsOf, type Balance } from '../../../ledger/domain/balance.ts'
import { readChangedBalances } from '../../../ledger/changes.ts'

const consumer = declareConsumer('accounts-balances')
const maxBatchSize = 20_000

/**
 * Emits events for changed balances shortly after the postings. If a balance changed several times
 * since its last event, a single event with the current amounts is emitted. If two workers run
 * concurrently, only one of them commits a batch.
 */
export const publishBalances: Worker = {
  name: 'accounts.publish-balances',
  purpose: 'Emits events for balances that postings changed.',
  everyMs: dueFallbackMs,
  isDueSql: isBehindSql(consumer),
  pauseMs: 1000,
  wakeOn: [
    'payments.posting-instruction.accepted',
    'payments.posting-instruction.settled',
    'payments.posting-instruction.released',
    'payments.posting-instruction.expired',
    'payments.posting-instruction.reversed',
  ],
  run: (context: Context) =>
    command(context, 'publishBalances', null, async () => {
      const { from, to } = await readConsumer(context.bank.pool, consumer, maxBatchSize)
      if (from === to) return { result: 0 }
      const balances = await readChangedBalances(context.bank.pool, from, to)
      const accountIds = balances.map(({ account }) => account.arrangementId)
      const holders = await readHolders(context, accountIds)
      return {
        result: Number(to - from),
        writes: [advanceConsumer(consumer, from, to)],
        events: balances.map((balance, index) => balanceEventOf(balance, holders[index]!)),
      }
    }),
}

function balanceEventOf(balance: Balance, holders: readonly string[]): DomainEvent {
  const { arrangementId, partyId, currency } = balance.account
  const standing = balanceAmountsOf(balance)
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    type: 'accounts.balance.changed',
    subject: `balance/${arrangementId}`,
    version: balance.entryCount,
    data: {
      arrangementId,
      currency,
      committed: money(standing.committedMinor),
      pendingIn: money(standing.pendingInMinor),
      pendingOut: money(standing.pendingOutMinor),
      available: money(standing.availableMinor),
    },
    parties: partyId ? [partyId, ...holders] : [],
  }
}
