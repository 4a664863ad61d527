import type { Context } from '../_kernel/context.ts'
import type { Worker } from '../_kernel/worker.ts'
import { checkLedger } from '../_ledger/check.ts'
import { noNarrative, termsAt } from '../_ledger/journal.ts'
import { post } from '../_ledger/post.ts'
import { read } from '../_ledger/read.ts'
import { sealJournal as seal } from '../_ledger/seal.ts'

const mostExpired = 256

const expiredSql =
  'select client_id, client_transaction_id from ledger.authorisation ' +
  'where open > 0 and expires_at <= $1 order by expires_at limit $2'

/** Releases authorisations whose time is over. A key per chain sees to it that each expires once. */
export const expireAuthorisations: Worker = {
  name: 'payments.expire-authorisations',
  purpose: 'Releases authorisations whose time is over.',
  everyMs: 1000,
  async run(context: Context): Promise<number> {
    const rows = await read<{ client_id: string; client_transaction_id: string }>(
      context.bank.pool,
      expiredSql,
      [context.now(), mostExpired],
    )
    const expiries = rows.map((row) => expire(context, row.client_id, row.client_transaction_id))
    await Promise.all(expiries)
    return rows.length
  },
}

async function expire(context: Context, clientId: string, clientTransactionId: string) {
  const terms = { ...termsAt(context.now()), clientTransactionId }
  const posting = {
    instruction: { ...terms, type: 'release' as const, clientTransactionId, isExpiry: true },
    narrative: noNarrative,
  }
  const asClient = {
    ...context,
    caller: { ...context.caller, clientId },
    envelope: { ...context.envelope, idempotencyKey: `expire:${clientTransactionId}` },
  }
  await post(asClient, 'expireAuthorisation', { clientId, clientTransactionId }, [posting])
}

/** Folds the entries of the bank's own accounts into their balances, so that reading those stays cheap. */
export const foldDeferred: Worker = {
  name: 'payments.fold-deferred-accounts',
  purpose: "Folds the entries of the bank's own accounts into their balances.",
  everyMs: 15_000,
  async run({ bank }: Context): Promise<number> {
    const sql = 'select ledger.fold_deferred()::int as folded'
    return (await read<{ folded: number }>(bank.pool, sql, []))[0]!.folded
  },
}

/** Seals the journal behind the event log. */
export const sealJournal: Worker = {
  name: 'payments.seal-journal',
  purpose: 'Seals the journal behind the event log.',
  everyMs: 1000,
  run: ({ bank }: Context) => seal(bank.pool),
}

/** Looks whether the books are as they promise. What it finds is logged as an error, and asked for in the graph. */
export const checkBooks: Worker = {
  name: 'payments.check-books',
  purpose: 'Looks whether the books are as they promise.',
  everyMs: 300_000,
  async run({ bank }: Context): Promise<number> {
    for (const finding of await checkLedger(bank.pool)) {
      bank.log.error(finding, 'the books are not as they promise')
    }
    return 0
  },
}
