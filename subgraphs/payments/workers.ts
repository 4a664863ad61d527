import type { Context } from '../_kernel/context.ts'
import type { Worker } from '../_kernel/worker.ts'
import { recordFindings } from '../_ledger/findings.ts'
import { noNarrative, termsAt } from '../_ledger/journal.ts'
import { post } from '../_ledger/post.ts'
import { read } from '../_ledger/read.ts'
import { sealJournal as seal } from '../_ledger/seal.ts'

const mostExpired = 256

const expiredSql =
  'select client_id, client_transaction_id from ledger.authorisation t ' +
  'where open > 0 and expires_at <= $1 and not exists (select from ledger.balance b ' +
  'where b.account_id = t.account_id and b.is_suspended) order by expires_at limit $2'

/** Releases authorisations whose time is over. A key per chain sees to it that each expires once. */
export const expireAuthorisations: Worker = {
  name: 'payments.expire-authorisations',
  followsClock: true,
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

/**
 * Checks every invariant of the ledger. What it finds is recorded, raised as an event, counted by the
 * metrics and readiness, and suspends postings to the accounts concerned.
 */
export const checkBooks: Worker = {
  name: 'payments.check-books',
  purpose: 'Checks the invariants of the ledger; suspends accounts that it finds inconsistent.',
  everyMs: 300_000,
  wakeOn: ['payments.balance-correction.approved'],
  async run(context: Context): Promise<number> {
    const open = await recordFindings(context)
    if (open > 0) context.bank.log.error({ open }, 'the ledger has open findings')
    return 0
  },
}
