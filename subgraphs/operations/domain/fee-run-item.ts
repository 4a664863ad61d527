import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import {
  feeAmount,
  needsBasis,
  waiverOf,
  type Fee,
  type FeeFrequency,
} from '../../_kernel/domain/fee.ts'

/**
 * In a dry run, the outcomes that the real run would have. `reversed` was charged and then
 * reversed.
 */
export const feeOutcomes = ['charged', 'waived', 'skipped', 'failed', 'reversed'] as const
export type FeeOutcome = (typeof feeOutcomes)[number]

/** The fee and the period of a run. */
export interface FeeRunTerms {
  feeRunId: string
  feeCode: string
  frequency: FeeFrequency
  periodStart: LocalDate
  periodEnd: LocalDate
  /** Whether the run computes fees without charging them. */
  isDryRun: boolean
}

/** The outcome of a run for one account. */
export interface FeeRunItem {
  feeRunId: string
  arrangementId: string
  partyId: string
  feeCode: string
  /** The period charged: that of the run, or the day of opening for an upfront fee. */
  periodStart: LocalDate
  periodEnd: LocalDate
  outcome: FeeOutcome
  /**
   * The kind of waiver, the reason for skipping, the problem code of a rejected charge, or why a
   * charged fee could not be collected at once.
   */
  reason: string | null
  /** The number of the attempt for the account and the period, starting at 1. */
  attempt: number
  amountMinor: bigint | null
  currency: string
  postingInstructionId: string | null
  reversedByPostingId: string | null
  isDryRun: boolean
  createdAt: Date
  /** The receivable of a fee that was charged and could not be collected at once. */
  feeReceivableId: string | null
}

/**
 * The account states in which fees are charged. Charges of blocked accounts fail and are reported.
 */
export const chargeableStates = ['active', 'blocked', 'dormant', 'pending-closure'] as const

/** An account as queried through the graph. */
export interface Account {
  arrangementId: string
  partyId: string
  customerId: string
  productVersion: string
  state: string
  currency: string
  openedAt: Date
}

/** The earlier attempts for an account and a period. */
export interface Tried {
  isCharged: boolean
  attempts: number
}

/** The inputs of the fee decision for one account. */
export interface FeePremises {
  account: Account
  fee: Fee
  /** The booked balance as of the run's `asOf`; null unless `premisesNeeded` requires it. */
  balanceMinor: bigint | null
  /** The payments of the account in the period; null unless `premisesNeeded` requires them. */
  payments: { count: number; sumMinor: bigint } | null
  segment: string | null
  tried: Tried
}

/** The inputs that must be read before a fee can be decided. */
export function premisesNeeded(fee: Fee) {
  const isWaivedFor = (kind: string) => fee.waivers.some((waiver) => waiver.kind === kind)
  const isPerEvent = fee.frequency === 'per-event'
  return {
    balance: (needsBasis(fee) && !isPerEvent) || isWaivedFor('minimum-balance'),
    payments: isPerEvent,
    segment: isWaivedFor('customer-segment') || isWaivedFor('campaign'),
  }
}

/** The period charged to an account: that of the run, or the day of opening for an upfront fee. */
export function periodFor(run: FeeRunTerms, { openedAt }: Pick<Account, 'openedAt'>) {
  if (run.frequency !== 'upfront') return { start: run.periodStart, end: run.periodEnd }
  const day = dateOf(openedAt)
  return { start: day, end: day }
}

/**
 * Decides the outcome for one account; a charged item must still be posted. An account is skipped
 * when it was opened after the period, was already charged, has another currency than the fee, or
 * when the fee is zero.
 */
export function decideItem(run: FeeRunTerms, premises: FeePremises, now: Date): FeeRunItem {
  const { account, fee, tried, balanceMinor, payments, segment } = premises
  const { arrangementId, partyId, currency, openedAt } = account
  const { start: periodStart, end: periodEnd } = periodFor(run, account)
  const item = {
    feeRunId: run.feeRunId,
    arrangementId,
    partyId,
    feeCode: run.feeCode,
    periodStart,
    periodEnd,
    attempt: tried.attempts + 1,
    amountMinor: null,
    currency,
    postingInstructionId: null,
    reversedByPostingId: null,
    isDryRun: run.isDryRun,
    createdAt: now,
    feeReceivableId: null,
  }
  const without = (outcome: FeeOutcome, reason: string, amountMinor: bigint | null = null) => ({
    ...item,
    outcome,
    reason,
    amountMinor,
  })
  const openedOn = dateOf(openedAt)
  if (openedOn > run.periodEnd) return without('skipped', 'opened-later')
  if (tried.isCharged) return without('skipped', 'already-charged')
  const basis = payments
    ? { basisMinor: payments.sumMinor, events: payments.count }
    : { basisMinor: balanceMinor, events: 1 }
  const amountMinor = feeAmount(fee, { ...basis, currency })
  if (amountMinor === null) return without('skipped', 'other-currency')
  if (amountMinor === 0n) return without('skipped', 'nothing-to-charge')
  const waiver = waiverOf(fee, { balanceMinor, segment, openedOn, from: periodStart })
  if (waiver) return without('waived', waiver.kind, amountMinor)
  return { ...item, outcome: 'charged', reason: null, amountMinor }
}

/** The idempotency key of a charge. An attempt after a rejection or a reversal has its own key. */
export function chargeKey({ feeCode, arrangementId, periodStart, attempt }: FeeRunItem): string {
  // Special characters are escaped, so that different codes and ids never give the same key.
  const parts = [feeCode, arrangementId, periodStart].map(encodeURIComponent)
  return ['fee', ...parts, ...(attempt > 1 ? [attempt] : [])].join(':')
}
