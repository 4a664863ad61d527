import type { Context } from '../../../kernel/environment/context.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import type { Fee } from '../../../kernel/domain/fee.ts'
import { readUsedKeys } from '../../../kernel/writing/attempts.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { readPayments, readBalanceAmountsAt } from '../../../ledger/entries.ts'
import { post } from '../../../ledger/post.ts'
import { AccountsOfProductDocument } from '../queries.generated.ts'
import {
  chargeableStates,
  chargedItem,
  chargeKey,
  decideItem,
  periodFor,
  receivableKey,
  inputsNeeded,
  type Account,
  type FeeDecisionInputs,
} from '../domain/fee-run-item.ts'
import { remainsDue } from '../domain/fee-receivable.ts'
import { advanceRun } from '../domain/fee-run.ts'
import { itemEvent } from '../events.ts'
import { insertItems, readEarlierAttempts } from '../store/fee-run-item.ts'
import { openReceivable, receivableOperation } from './open-receivable.ts'
import { commitPage } from './commit-page.ts'
import { readProductFees } from './product-fees.ts'
import { chargePosting, dueFeeOfItem } from './receivable-postings.ts'
import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'

/** The operation of the idempotency keys under which a run posts its charges. */
const chargeOperation = 'chargeFee'

/** The number of accounts per page. A checkpoint is stored after each page. */
export const pageSize = 1000

/** An account of a page, with the fee in its product version. */
interface Candidate {
  account: Account
  fee: Fee
}

/**
 * Charges one page of accounts and advances the run. After a crash, the page is posted again under
 * the same idempotency keys, so charges that were already posted return their stored results. They
 * count even if the account would not be charged any more, for example because it is waived by now.
 */
export async function chargePage(context: Context, run: FeeRun): Promise<void> {
  const { accounts, next: nextCursor } = await fetchAccounts(context, run)
  const fees = await feesByVersion(context, run)
  const candidates = accounts.flatMap((account): Candidate[] => {
    const fee = fees.get(account.productVersion)
    const isChargeable = chargeableStates.some((state) => state === account.state)
    return fee && isChargeable ? [{ account, fee }] : []
  })
  const now = context.now()
  const inputs = await readNotificationInputs(context, run, candidates)
  const decidedItems = inputs.map((each) => decideItem(run, each, now))
  const name = candidates.at(-1)?.fee.name ?? run.feeCode
  const recovered = await recoverCharges(context, { run, accounts, decidedItems, name })
  const isRecovered = new Set(recovered.map(({ arrangementId }) => arrangementId))
  const others = decidedItems.filter(({ arrangementId }) => !isRecovered.has(arrangementId))
  const charged = await Promise.all(
    others.map(async (item) => {
      const mustPost = item.outcome === 'charged' && !run.isDryRun
      return mustPost ? charge(context, item, name) : item
    }),
  )
  const items = [...charged, ...recovered]
  await commitPage(context, run, async (current) => {
    const finalItems = await skipAlreadyCharged(context, run, items)
    const after = advanceRun(current, finalItems, nextCursor, context.now())
    return {
      run: after,
      writes: insertItems(finalItems),
      events: finalItems.flatMap((item) => itemEvent(run, item)),
    }
  })
}

/** What a page decided before it looks for charges of an interrupted run. */
interface DecidedPage {
  run: FeeRun
  accounts: readonly Account[]
  decidedItems: readonly FeeRunItem[]
  name: string
}

/**
 * Returns the items of charges that were posted or became receivables before a crash and were never
 * recorded, although the account would not be charged now, for example because it has been closed since.
 */
async function recoverCharges(
  context: Context,
  { run, accounts, decidedItems, name }: DecidedPage,
): Promise<FeeRunItem[]> {
  const charged = decidedItems.filter(({ outcome }) => outcome === 'charged')
  const isCharged = new Set(charged.map(({ arrangementId }) => arrangementId))
  const others = accounts.filter(({ arrangementId }) => !isCharged.has(arrangementId))
  if (run.isDryRun || others.length === 0) return []
  const earlierAttempts = await readEarlierAttempts(
    context,
    run,
    others.map((account) => ({
      arrangementId: account.arrangementId,
      periodStart: periodFor(run, account).start,
    })),
  )
  const items = others.flatMap((account, at) => {
    const earlier = earlierAttempts[at]!
    const isRecorded = earlier.isDone || earlier.isCharged
    return isRecorded ? [] : [chargedItem(run, account, earlier, context.now())]
  })
  const [chargeKeys, receivableKeys] = await Promise.all([
    readUsedKeys(context, chargeOperation, items.map(chargeKey)),
    readUsedKeys(context, receivableOperation, items.map(receivableKey)),
  ])
  const posted = items.filter((item) => chargeKeys.has(chargeKey(item)))
  const recovered = await Promise.all(
    posted.map(async (item) => {
      const { charged: after, rejection } = await postCharge(context, item, name)
      // A rejected charge took nothing, so that what was decided now counts.
      if (rejection === null) return after
      return receivableKeys.has(receivableKey(item)) ? owe(context, after, name) : null
    }),
  )
  return recovered.filter((item) => item !== null)
}

async function fetchAccounts({ bank }: Context, { productId, checkpoint }: FeeRun) {
  const queryPage = (after: string | null) =>
    bank.queryGraph(AccountsOfProductDocument, { productId, first: pageSize, after })
  const { accountArrangements } = await queryPage(checkpoint).catch((error: unknown) => {
    // A page token expires after three days. The run then starts again from the first page and
    // skips the accounts that it has already processed.
    const isStale = error instanceof Problem && error.code.startsWith('PAGE_TOKEN_')
    if (checkpoint !== null && isStale) return queryPage(null)
    throw error
  })
  const { nodes, pageInfo } = accountArrangements!
  return {
    accounts: nodes.map(({ state, openedAt, ...node }): Account => ({
      ...node,
      // Enum values in GraphQL are in upper case, with underscores.
      state: state.toLowerCase().replaceAll('_', '-'),
      openedAt: new Date(openedAt),
    })),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

/** Returns the fee by product version. A fee with a different frequency than the run is omitted. */
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

/** Reads the decision inputs of a page in batches. Accounts already processed are omitted. */
async function readNotificationInputs(
  context: Context,
  run: FeeRun,
  candidates: readonly Candidate[],
): Promise<FeeDecisionInputs[]> {
  const { pool } = context.bank
  const accountsNeeding = (inputName: keyof ReturnType<typeof inputsNeeded>) =>
    candidates.filter(({ fee }) => inputsNeeded(fee)[inputName]).map(({ account }) => account)
  const idsOf = (accounts: readonly Account[]) => accounts.map(({ arrangementId }) => arrangementId)
  const [balanceAccountIds, payingAccountIds] = [
    idsOf(accountsNeeding('balance')),
    idsOf(accountsNeeding('payments')),
  ]
  const customerIds = [...new Set(accountsNeeding('segment').map(({ customerId }) => customerId))]
  const after = addMs(new Date(`${run.periodStart}T00:00:00Z`), -1)
  const request = candidates.map(({ account }) => ({
    arrangementId: account.arrangementId,
    periodStart: periodFor(run, account).start,
  }))
  const [earlierAttempts, standings, payments, facts] = await Promise.all([
    readEarlierAttempts(context, run, request),
    readBalanceAmountsAt(pool, balanceAccountIds, run.asOf),
    readPayments(pool, payingAccountIds, { after, upTo: run.asOf }),
    readFacts(
      context,
      customerIds.map((id) => `customer/${id}`),
    ),
  ])
  const segments = new Map(customerIds.map((id, at) => [id, facts[at]?.['segment'] ?? null]))
  return candidates.flatMap(({ account, fee }, at): FeeDecisionInputs[] => {
    const { arrangementId, customerId } = account
    if (earlierAttempts[at]!.isDone) return []
    const inputs: FeeDecisionInputs = {
      account,
      fee,
      balanceMinor: standings.get(arrangementId)?.committedMinor ?? null,
      payments: inputsNeeded(fee).payments
        ? (payments.get(arrangementId) ?? { count: 0, sumMinor: 0n })
        : null,
      segment: (segments.get(customerId) ?? null) as string | null,
      earlierAttempts: earlierAttempts[at]!,
    }
    return [inputs]
  })
}

/**
 * Posts the charge of an item and returns the item with its outcome. A fee that the account cannot
 * pay now becomes a receivable.
 */
async function charge(context: Context, item: FeeRunItem, name: string): Promise<FeeRunItem> {
  const { charged, rejection } = await postCharge(context, item, name)
  if (rejection === null) return charged
  if (remainsDue(rejection)) return owe(context, charged, name)
  return { ...charged, outcome: 'failed', reason: rejection }
}

/**
 * Posts the charge of an item. Returns the item with the posting, and the code with which the posting was
 * rejected or null. What is stored under the idempotency key takes precedence over the new decision.
 */
async function postCharge(context: Context, item: FeeRunItem, name: string) {
  const { feeCode, arrangementId, periodStart, attempt } = item
  const keyedContext = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: chargeKey(item) },
  }
  const input = { feeCode, arrangementId, periodStart, attempt }
  // An item without an amount was posted before, and its posting has the amount.
  const fee = dueFeeOfItem({ ...item, amountMinor: item.amountMinor ?? 0n })
  const posting = chargePosting(context.now(), fee, name)
  const { records } = await post(keyedContext, chargeOperation, input, [posting])
  const { postingInstructionId, status, violations, instruction } = records[0]!
  const amountMinor = 'money' in instruction ? instruction.money!.amountMinor : item.amountMinor
  const charged: FeeRunItem = { ...item, amountMinor, postingInstructionId }
  return { charged, rejection: status === 'rejected' ? violations[0]!.code : null }
}

/** Opens the receivable of a charge that the account could not pay, and returns the item. */
async function owe(context: Context, item: FeeRunItem, name: string): Promise<FeeRunItem> {
  const { postingInstructionId, ...result } = await openReceivable(context, item, name)
  return {
    ...item,
    ...result,
    postingInstructionId: postingInstructionId ?? item.postingInstructionId,
  }
}

/**
 * Changes items to `skipped` if another run has meanwhile recorded a charge for the same account
 * and period.
 */
async function skipAlreadyCharged(
  context: Context,
  run: FeeRun,
  items: readonly FeeRunItem[],
): Promise<readonly FeeRunItem[]> {
  if (run.isDryRun) return items
  const earlierAttempts = await readEarlierAttempts(context, run, items)
  return items.map((item, at) =>
    item.outcome === 'charged' && earlierAttempts[at]!.isCharged
      ? { ...item, outcome: 'skipped', reason: 'already-charged', amountMinor: null }
      : item,
  )
}
