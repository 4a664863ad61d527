import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { defaultAddress } from '../../../ledger/domain/balance.ts'
import { recordFindings } from '../../../ledger/findings.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { post } from '../../../ledger/post.ts'
import { read } from '../../../ledger/read.ts'
import {
  areCheckpointsDueSql,
  writeCheckpoints as writeLedgerCheckpoints,
} from '../../../ledger/checkpoints.ts'
import {
  areDaysToTotalSql,
  totalBookingDays as totalLedgerDays,
} from '../../../ledger/trial-balance.ts'

const maxExpiriesPerRun = 256

const isOverdueSql =
  'open > 0 and expires_at <= $1 and not exists ' +
  '(select from ledger.balance b where b.account_id = t.account_id and b.is_suspended)'
const expiredSql =
  'select t.client_id as "clientId", t.client_transaction_id as "clientTransactionId", ' +
  'b.stamp::text as "balanceStamp" from ledger.authorization t ' +
  'join ledger.balance b on b.account_id = t.account_id and b.address = $3 ' +
  `where ${isOverdueSql} order by expires_at limit $2`

/** An expired authorization, with the stamp that its account's balance had when it was found. */
type ExpiredAuthorization = Record<'clientId' | 'clientTransactionId' | 'balanceStamp', string>

/** Releases expired authorizations. An idempotency key ensures that each is released only once. */
export const expireAuthorizations: Worker = {
  name: 'payments.expire-authorizations',
  followsClock: true,
  purpose: 'Releases authorizations that have expired.',
  everyMs: dueFallbackMs,
  isDueSql: isAnyDueSql('ledger.authorization t', 'expires_at', isOverdueSql),
  async run(context: Context): Promise<number> {
    const expired = await read<ExpiredAuthorization>(context.bank.pool, expiredSql, [
      context.now(),
      maxExpiriesPerRun,
      defaultAddress,
    ])
    const releases = await Promise.all(expired.map((each) => expire(context, each)))
    return releases.filter((isReleased) => isReleased).length
  },
}

/**
 * Releases an expired authorization, and returns whether it is released. The key of a release also
 * stores a rejection, such as that of an account that was suspended meanwhile. After one, the release
 * is posted again once for each state of the balance: lifting a suspension changes it.
 */
async function expire(context: Context, expired: ExpiredAuthorization): Promise<boolean> {
  const key = `expire:${expired.clientTransactionId}`
  const release = await postRelease(context, expired, key)
  const isRejectedBefore = release.isRejected && release.isReplayed
  if (!isRejectedBefore) return !release.isRejected
  const repeated = await postRelease(context, expired, `${key}:${expired.balanceStamp}`)
  return !repeated.isRejected
}

async function postRelease(
  context: Context,
  { clientId, clientTransactionId }: ExpiredAuthorization,
  idempotencyKey: string,
) {
  const terms = { ...termsAt(context.now()), clientTransactionId }
  const posting = {
    instruction: { ...terms, type: 'release' as const, clientTransactionId, isExpiry: true },
    narrative: noNarrative,
  }
  const outcome = { ...context.outcome, isReplayed: false }
  const clientContext = {
    ...context,
    outcome,
    caller: { ...context.caller, clientId },
    envelope: { ...context.envelope, idempotencyKey },
  }
  const input = { clientId, clientTransactionId }
  const { records } = await post(clientContext, 'expireAuthorization', input, [posting])
  return { isRejected: records[0]!.status === 'rejected', isReplayed: outcome.isReplayed }
}

/** Whether entries of internal accounts have numbers up to which nothing is aggregated yet. */
const areEntriesToAggregateSql =
  '(select is_called and last_value > up_to from ledger.deferred_sequence, ledger.aggregation)'

/**
 * Aggregates the entries of internal accounts, so that reading their balances stays cheap. The pause
 * lets the transactions end that may still hold such numbers.
 */
export const aggregateInternalAccounts: Worker = {
  name: 'payments.aggregate-internal-accounts',
  purpose: 'Aggregates the entries of internal accounts into their balances.',
  everyMs: dueFallbackMs,
  isDueSql: areEntriesToAggregateSql,
  duePauseMs: 15_000,
  async run({ bank }: Context): Promise<number> {
    const sql = 'select ledger.aggregate_accumulating()::int as aggregated'
    return (await read<{ aggregated: number }>(bank.pool, sql, []))[0]!.aggregated
  },
}

export const writeCheckpoints: Worker = {
  name: 'payments.write-checkpoints',
  purpose: 'Adds checkpoints to the hash chain of the journal.',
  everyMs: dueFallbackMs,
  isDueSql: areCheckpointsDueSql,
  run: ({ bank }: Context) => writeLedgerCheckpoints(bank.pool),
}

/**
 * Keeps the totals by booking day, from which the trial balance at an earlier time is read. It may lag:
 * the postings that it has not added yet are read by themselves.
 */
export const totalBookingDays: Worker = {
  name: 'payments.total-booking-days',
  purpose: 'Adds postings to the totals of the days on which they were booked.',
  everyMs: dueFallbackMs,
  isDueSql: areDaysToTotalSql,
  duePauseMs: 15_000,
  maxShare: 0.2,
  run: ({ bank }: Context) => totalLedgerDays(bank.pool),
}

/**
 * Verifies every invariant of the ledger. A finding is recorded, published as an event and counted
 * in the metrics and in readiness. It suspends postings to the accounts concerned.
 */
export const checkBooks: Worker = {
  name: 'payments.check-books',
  purpose: 'Verifies the invariants of the ledger and suspends inconsistent accounts.',
  everyMs: 300_000,
  maxShare: 0.1,
  wakeOn: ['payments.balance-correction.approved'],
  // Until the check, the corrected account stays suspended.
  wakesAtOnce: true,
  async run(context: Context, stopping?: AbortSignal): Promise<number> {
    const openFindings = await recordFindings(context, stopping).catch((error: unknown) => {
      if (stopping?.aborted) return 0
      throw error
    })
    if (openFindings > 0) {
      context.bank.log.error({ open: openFindings }, 'the ledger has open findings')
    }
    return 0
  },
}
