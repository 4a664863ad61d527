import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { formatAmount } from '../_kernel/domain/money.ts'
import type { Told } from '../_kernel/events.ts'
import type { Worker } from '../_kernel/worker.ts'
import { moveConsumer, readConsumer } from '../_kernel/consumer.ts'
import { standingOf, type Balance } from '../_ledger/domain/balance.ts'
import { readMovedBalances } from '../_ledger/changes.ts'

const consumer = 'accounts-balances'
const mostTogether = 20_000

/**
 * Tells the balances that postings left, a moment after them: however often an account moved since
 * it was last told of, it is told once, with what is there now. Each version is told once.
 */
export const tellBalances: Worker = {
  name: 'accounts.tell-balances',
  purpose: 'Tells the balances that postings left.',
  everyMs: 1000,
  pauseMs: 1000,
  wakeOn: [
    'payments.posting-instruction.accepted',
    'payments.posting-instruction.settled',
    'payments.posting-instruction.released',
    'payments.posting-instruction.expired',
    'payments.posting-instruction.reversed',
  ],
  run: (context: Context) =>
    command(context, 'tellBalances', null, async () => {
      const { from, to } = await readConsumer(context.bank.pool, consumer, mostTogether)
      if (from === to) return { result: 0 }
      const balances = await readMovedBalances(context.bank.pool, from, to)
      return {
        result: Number(to - from),
        writes: [moveConsumer(consumer, from, to)],
        events: balances.map(toldOf),
      }
    }),
}

function toldOf(balance: Balance): Told {
  const { arrangementId, partyId, currency } = balance.account
  const standing = standingOf(balance)
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
    parties: partyId ? [partyId] : [],
  }
}
