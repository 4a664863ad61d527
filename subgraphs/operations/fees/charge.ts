import type { Context } from '../../_kernel/context.ts'
import { addMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fee } from '../../_kernel/domain/fee.ts'
import { readFacts } from '../../_kernel/facts.ts'
import { readPayments, readStandingsAt } from '../../_ledger/entries.ts'
import { post } from '../../_ledger/post.ts'
import { AccountsOfProductDocument } from '../asks.generated.ts'
import {
  chargeableStates,
  chargeKey,
  decideItem,
  periodFor,
  premisesNeeded,
  type Account,
  type FeePremises,
  type FeeRunItem,
} from '../domain/fee-run-item.ts'
import { remainsDue } from '../domain/fee-receivable.ts'
import { advanceRun, type FeeRun } from '../domain/fee-run.ts'
import { tellItem } from '../fee-events.ts'
import { insertItems, readTried } from '../store/fee-run-item.ts'
import { openReceivable } from './open-receivable.ts'
import { commitPage } from './page.ts'
import { readProductFees } from './product-fees.ts'
import { chargePosting } from './receivable-postings.ts'

/** The number of accounts per page, between two checkpoints. */
export const pageSize = 1000

/** An account of a page with the fee of its product version. */
interface Candidate {
  account: Account
  fee: Fee
}

/**
 * Charges one page of accounts and advances the run. Charges posted before a crash are posted again
 * under the same idempotency key, which returns the stored result.
 */
export async function chargePage(context: Context, run: FeeRun): Promise<void> {
  const { accounts, next } = await askAccounts(context, run)
  const fees = await feesByVersion(context, run)
  const candidates = accounts.flatMap((account): Candidate[] => {
    const fee = fees.get(account.productVersion)
    const isLookedAt = chargeableStates.some((state) => state === account.state)
    return fee && isLookedAt ? [{ account, fee }] : []
  })
  const now = context.now()
  const premises = await readPremises(context, run, candidates)
  const decided = premises.map((each) => decideItem(run, each, now))
  const names = new Map(candidates.map(({ fee }) => [fee.code, fee.name ?? fee.code]))
  const items = await Promise.all(
    decided.map(async (item) => {
      const isDue = item.outcome === 'charged' && !run.isDryRun
      return isDue ? charge(context, item, names.get(run.feeCode)!) : item
    }),
  )
  await commitPage(context, run, async (current) => {
    const kept = await withoutCharged(context, run, items)
    const after = advanceRun(current, kept, next, context.now())
    return {
      run: after,
      writes: insertItems(kept),
      events: kept.flatMap((item) => tellItem(run, item)),
    }
  })
}

async function askAccounts({ bank }: Context, { productId, checkpoint }: FeeRun) {
  const ask = (after: string | null) =>
    bank.ask(AccountsOfProductDocument, { productId, first: pageSize, after })
  const { accountArrangements } = await ask(checkpoint).catch((error: unknown) => {
    // A page token is valid for three days; after that, the run skips the accounts already
    // processed.
    const isStale = error instanceof Problem && error.code.startsWith('PAGE_TOKEN_')
    if (checkpoint !== null && isStale) return ask(null)
    throw error
  })
  const { nodes, pageInfo } = accountArrangements!
  return {
    accounts: nodes.map(({ state, openedAt, ...node }): Account => ({
      ...node,
      // Enum values of the graph are in upper case.
      state: state.toLowerCase().replaceAll('_', '-'),
      openedAt: new Date(openedAt),
    })),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

/** The fee of each product version, where its frequency is that of the run. */
async function feesByVersion(
  context: Context,
  { productId, feeCode, frequency }: FeeRun,
): Promise<Map<string, Fee>> {
  const versions = (await readProductFees(context, productId)) ?? []
  return new Map(
    versions.flatMap(({ version, fees }) => {
      const fee = fees.find((each) => each.code === feeCode && each.frequency === frequency)
      return fee ? [[version, fee] as const] : []
    }),
  )
}

/** Reads the decision inputs of a page in batches, without the accounts already processed. */
async function readPremises(
  context: Context,
  run: FeeRun,
  candidates: readonly Candidate[],
): Promise<FeePremises[]> {
  const { pool } = context.bank
  const needing = (what: keyof ReturnType<typeof premisesNeeded>) =>
    candidates.filter(({ fee }) => premisesNeeded(fee)[what]).map(({ account }) => account)
  const idsOf = (accounts: readonly Account[]) => accounts.map(({ arrangementId }) => arrangementId)
  const [balances, payers] = [idsOf(needing('balance')), idsOf(needing('payments'))]
  const customers = [...new Set(needing('segment').map(({ customerId }) => customerId))]
  const after = addMs(new Date(`${run.periodStart}T00:00:00Z`), -1)
  const asked = candidates.map(({ account }) => ({
    arrangementId: account.arrangementId,
    periodStart: periodFor(run, account).start,
  }))
  const [tried, standings, payments, facts] = await Promise.all([
    readTried(context, run, asked),
    readStandingsAt(pool, balances, run.asOf),
    readPayments(pool, payers, { after, upTo: run.asOf }),
    readFacts(
      context,
      customers.map((id) => `customer/${id}`),
    ),
  ])
  const segments = new Map(customers.map((id, at) => [id, facts[at]?.['segment'] ?? null]))
  return candidates.flatMap(({ account, fee }, at): FeePremises[] => {
    const { arrangementId, customerId } = account
    if (tried[at]!.isDone) return []
    const its = {
      account,
      fee,
      balanceMinor: standings.get(arrangementId)?.committedMinor ?? null,
      payments: premisesNeeded(fee).payments
        ? (payments.get(arrangementId) ?? { count: 0, sumMinor: 0n })
        : null,
      segment: (segments.get(customerId) ?? null) as string | null,
      tried: tried[at]!,
    }
    return [its]
  })
}

/**
 * Posts a fee and returns the item with the outcome. A fee that the account cannot pay now becomes a
 * receivable.
 */
async function charge(context: Context, item: FeeRunItem, name: string): Promise<FeeRunItem> {
  const { feeCode, arrangementId, periodStart, attempt } = item
  const keyed = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: chargeKey(item) },
  }
  const input = { feeCode, arrangementId, periodStart, attempt }
  const posting = chargePosting(context.now(), item, name)
  const { records } = await post(keyed, 'chargeFee', input, [posting])
  const { postingInstructionId, status, violations, instruction } = records[0]!
  if (status === 'rejected') {
    const reason = violations[0]!.code
    if (!remainsDue(reason)) return { ...item, postingInstructionId, outcome: 'failed', reason }
    const done = await openReceivable(context, item, name)
    return {
      ...item,
      ...done,
      postingInstructionId: done.postingInstructionId ?? postingInstructionId,
    }
  }
  // The amount stored under the idempotency key takes precedence over the one computed now.
  const amountMinor = 'money' in instruction ? instruction.money!.amountMinor : item.amountMinor
  return { ...item, postingInstructionId, amountMinor }
}

/**
 * Another run may have recorded a charge of the account in the meantime: then this run skips it.
 */
async function withoutCharged(
  context: Context,
  run: FeeRun,
  items: readonly FeeRunItem[],
): Promise<readonly FeeRunItem[]> {
  if (run.isDryRun) return items
  const tried = await readTried(context, run, items)
  return items.map((item, at) =>
    item.outcome === 'charged' && tried[at]!.isCharged
      ? { ...item, outcome: 'skipped', reason: 'already-charged', amountMinor: null }
      : item,
  )
}
