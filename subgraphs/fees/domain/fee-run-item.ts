import type { FeeOutcome } from '../model/enumerations.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { feeAmount, type Fee } from '../../../kernel/domain/fee.ts'
import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'
import { waiverOf } from './fee-waiver.ts'

/** The fee and the period of a run. */
export type FeeRunTerms = Pick<
  FeeRun,
  'feeRunId' | 'feeCode' | 'frequency' | 'periodStart' | 'periodEnd' | 'isDryRun'
>

/**
 * The states of an account in which fees are charged. If the account is blocked, the charge is
 * rejected and the fee becomes a receivable.
 */
export const chargeableStates = ['active', 'blocked', 'dormant', 'pending-closure'] as const

/** An account, read through the graph. */
export interface Account {
  arrangementId: string
  partyId: string
  customerId: string
  productVersion: string
  state: string
  currency: string
  openedAt: Date
}

/** The earlier attempts to charge an account for a period. */
export interface EarlierAttempts {
  isCharged: boolean
  /** The number of attempts that failed or were reversed. */
  attempts: number
}

/** The inputs of the fee decision for one account. */
export interface FeeDecisionInputs {
  account: Account
  fee: Fee
  /** The booked balance as of the run's `asOf`; null unless `inputsNeeded` requires it. */
  balanceMinor: bigint | null
  /** The payments of the account in the period; null unless `inputsNeeded` requires them. */
  payments: { count: number; sumMinor: bigint } | null
  segment: string | null
  earlierAttempts: EarlierAttempts
}

/**
 * Whether the amount of the fee depends on a balance or on payments. Any other fee is a fixed
 * amount per period.
 */
function needsBasis({ amount, frequency }: Fee): boolean {
  return amount === null || frequency === 'per-event'
}

/** Returns which inputs the decision on a fee requires. */
export function inputsNeeded(fee: Fee) {
  const isWaivedFor = (kind: string) => fee.waivers.some((waiver) => waiver.kind === kind)
  const isPerEvent = fee.frequency === 'per-event'
  return {
    balance: (needsBasis(fee) && !isPerEvent) || isWaivedFor('minimum-balance'),
    payments: isPerEvent,
    segment: isWaivedFor('customer-segment') || isWaivedFor('campaign'),
  }
}

/**
 * Returns the period for which an account is charged: the period of the run or, for an upfront fee,
 * the day on which the account was opened.
 */
export function periodFor(run: FeeRunTerms, { openedAt }: Pick<Account, 'openedAt'>) {
  if (run.frequency !== 'upfront') return { start: run.periodStart, end: run.periodEnd }
  const day = dateOf(openedAt)
  return { start: day, end: day }
}

/**
 * Decides the outcome for one account. If it is `charged`, the caller must post the charge, except
 * in a dry run. An account is skipped if it was opened after the period, was already charged for
 * the period, or has a different currency than the fee, or if the fee is zero.
 */
export function decideItem(run: FeeRunTerms, inputs: FeeDecisionInputs, now: Date): FeeRunItem {
  const { account, fee, earlierAttempts, balanceMinor, payments, segment } = inputs
  const { currency, openedAt } = account
  const item = chargedItem(run, account, earlierAttempts, now)
  const { periodStart } = item
  const unchargedItem = (
    outcome: FeeOutcome,
    reason: string,
    amountMinor: bigint | null = null,
  ) => ({
    ...item,
    outcome,
    reason,
    amountMinor,
  })
  const openedOn = dateOf(openedAt)
  if (openedOn > run.periodEnd) return unchargedItem('skipped', 'opened-later')
  if (earlierAttempts.isCharged) return unchargedItem('skipped', 'already-charged')
  const basis = payments
    ? { basisMinor: payments.sumMinor, events: payments.count }
    : { basisMinor: balanceMinor, events: 1 }
  const amountMinor = feeAmount(fee, { ...basis, currency })
  if (amountMinor === null) return unchargedItem('skipped', 'other-currency')
  if (amountMinor === 0n) return unchargedItem('skipped', 'nothing-to-charge')
  const waiver = waiverOf(fee, { balanceMinor, segment, openedOn, from: periodStart })
  if (waiver) return unchargedItem('waived', waiver.kind, amountMinor)
  return { ...item, amountMinor }
}

/** Returns the item of an account that is charged, still without the amount. */
export function chargedItem(
  run: FeeRunTerms,
  account: Account,
  { attempts }: Pick<EarlierAttempts, 'attempts'>,
  now: Date,
): FeeRunItem {
  const { start: periodStart, end: periodEnd } = periodFor(run, account)
  return {
    feeRunId: run.feeRunId,
    arrangementId: account.arrangementId,
    partyId: account.partyId,
    feeCode: run.feeCode,
    periodStart,
    periodEnd,
    outcome: 'charged',
    reason: null,
    attempt: attempts + 1,
    amountMinor: null,
    currency: account.currency,
    postingInstructionId: null,
    reversedByPostingId: null,
    isDryRun: run.isDryRun,
    createdAt: now,
    feeReceivableId: null,
  }
}

/** Returns the idempotency key of the receivable of a charge. */
export const receivableKey = (item: FeeRunItem): string => `receivable:${chargeKey(item)}`

/**
 * Returns the idempotency key of a charge. A new attempt after a rejection or a reversal has a new
 * key.
 */
export function chargeKey({ feeCode, arrangementId, periodStart, attempt }: FeeRunItem): string {
  // Escaping the separator ensures that different codes and IDs never result in the same key.
  const parts = [feeCode, arrangementId, periodStart].map(encodeURIComponent)
  return ['fee', ...parts, ...(attempt > 1 ? [attempt] : [])].join(':')
}
