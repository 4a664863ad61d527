import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import {
  feeAmount,
  needsBasis,
  waiverOf,
  type Fee,
  type FeeFrequency,
} from '../../_kernel/domain/fee.ts'

/** `charged` is what would be charged in a dry run; `reversed` was charged and taken back. */
export const feeOutcomes = ['charged', 'waived', 'skipped', 'failed', 'reversed'] as const
export type FeeOutcome = (typeof feeOutcomes)[number]

/** What a run is of: one fee, for one period. */
export interface FeeRunTerms {
  feeRunId: string
  feeCode: string
  frequency: FeeFrequency
  periodStart: LocalDate
  periodEnd: LocalDate
  /** It computes and charges nothing. */
  isDryRun: boolean
}

/** What became of one account in a run. */
export interface FeeRunItem {
  feeRunId: string
  arrangementId: string
  partyId: string
  feeCode: string
  /** The period it is charged for: that of the run, and for a fee that is charged once, the day of opening. */
  periodStart: LocalDate
  periodEnd: LocalDate
  outcome: FeeOutcome
  /** The kind of waiver, why it was skipped, the code it failed with, or why it could not be collected at once. */
  reason: string | null
  /** Counts from 1 what was tried for the account and the period. */
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

/** Accounts in other states are not looked at; what is blocked fails, and is told so. */
export const chargeableStates = ['active', 'blocked', 'dormant', 'pending-closure'] as const

/** An account as it is asked for. */
export interface Account {
  arrangementId: string
  partyId: string
  customerId: string
  productVersion: string
  state: string
  currency: string
  openedAt: Date
}

/** What was tried before for an account and a period. */
export interface Tried {
  isCharged: boolean
  attempts: number
}

/** What the fee of one account is decided on. */
export interface FeePremises {
  account: Account
  fee: Fee
  /** The booked balance as of the run's instant; only where `premisesNeeded` says so. */
  balanceMinor: bigint | null
  /** The payments of the account in the period; only where `premisesNeeded` says so. */
  payments: { count: number; sumMinor: bigint } | null
  segment: string | null
  tried: Tried
}

/** What has to be read before a fee can be decided. */
export function premisesNeeded(fee: Fee) {
  const isWaivedFor = (kind: string) => fee.waivers.some((waiver) => waiver.kind === kind)
  const isPerEvent = fee.frequency === 'per-event'
  return {
    balance: (needsBasis(fee) && !isPerEvent) || isWaivedFor('minimum-balance'),
    payments: isPerEvent,
    segment: isWaivedFor('customer-segment') || isWaivedFor('campaign'),
  }
}

/** The period an account is charged for in a run: a fee that is charged once is charged for the day of opening. */
export function periodFor(run: FeeRunTerms, { openedAt }: Pick<Account, 'openedAt'>) {
  if (run.frequency !== 'upfront') return { start: run.periodStart, end: run.periodEnd }
  const day = dateOf(openedAt)
  return { start: day, end: day }
}

/**
 * Decides one account of a run; what it answers as charged is still to be posted. Skipped is an
 * account that was opened after the period, one that was charged for it before, one in another
 * currency than the fee, and one for which the fee comes to nothing.
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

/** The key a fee is charged under. A try after one that was refused or taken back has a key of its own. */
export function chargeKey({ feeCode, arrangementId, periodStart, attempt }: FeeRunItem): string {
  // Neither code nor id can be mistaken for the other: what is not plain is escaped.
  const parts = [feeCode, arrangementId, periodStart].map(encodeURIComponent)
  return ['fee', ...parts, ...(attempt > 1 ? [attempt] : [])].join(':')
}
