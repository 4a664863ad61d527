import { assertTransition } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { feeReceivableStates, type FeeReceivable } from '../model/fee-receivable.ts'
import type { DueFee } from './fee-charge.ts'

/** A collection or waiver of a part of a receivable. */
export interface FeeReceivableMovement {
  postingInstructionId: string
  feeReceivableId: string
  kind: 'collection' | 'waiver'
  amountMinor: bigint
  bookedAt: Date
}

/** The problem codes of rejections after which the same posting may be accepted later. */
const temporaryReasons: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'ARRANGEMENT_BLOCKED',
  'ACCOUNT_SUSPENDED',
])

/** Whether a fee remains due after its posting was rejected with this problem code. */
export function remainsDue(reasonCode: string): boolean {
  return temporaryReasons.has(reasonCode)
}

type ReceivableIdentity = Versioned &
  Pick<FeeReceivable, 'feeReceivableId' | 'feeName' | 'reasonCode' | 'postingInstructionId'>

/** Creates the open receivable for a fee that could not be collected. */
export function newFeeReceivable(fee: DueFee, identity: ReceivableIdentity): FeeReceivable {
  return {
    ...identity,
    arrangementId: fee.arrangementId,
    partyId: fee.partyId,
    feeRunId: fee.feeRunId,
    feeChargeId: fee.feeChargeId,
    feeCode: fee.feeCode,
    periodStart: fee.periodStart,
    periodEnd: fee.periodEnd,
    currency: fee.currency,
    amountMinor: fee.amountMinor,
    collectedMinor: 0n,
    waivedMinor: 0n,
    status: 'open',
    dueSince: identity.createdAt,
    settledAt: null,
    waivedBy: null,
    waiverReason: null,
    isCollectionDue: false,
  }
}

/** Returns the outstanding amount in minor units; zero unless the receivable is open. */
export function outstandingOf(receivable: FeeReceivable): bigint {
  const { status, amountMinor, collectedMinor, waivedMinor } = receivable
  return status === 'open' ? amountMinor - collectedMinor - waivedMinor : 0n
}

/** A planned collection of a receivable, in full or in part. The amount is in minor units. */
export interface Collection {
  receivable: FeeReceivable
  amountMinor: bigint
}

/**
 * Allocates the available amount to receivables, oldest first. A receivable gets an amount only
 * after the older ones are covered in full.
 */
export function planCollection(
  oldestFirst: readonly FeeReceivable[],
  availableMinor: bigint,
): Collection[] {
  let remainingMinor = availableMinor
  return oldestFirst.flatMap((receivable) => {
    const outstanding = outstandingOf(receivable)
    const amountMinor = outstanding < remainingMinor ? outstanding : remainingMinor
    if (amountMinor <= 0n) return []
    remainingMinor -= amountMinor
    return [{ receivable, amountMinor }]
  })
}

/**
 * Adds a collected amount to a receivable. The status becomes `collected` when nothing remains
 * outstanding. Throws INVALID_STATE_TRANSITION.
 */
export function collectPart({ receivable, amountMinor }: Collection, now: Date): FeeReceivable {
  assertTransition(
    feeReceivableStates.table,
    receivable.status,
    'collected',
    receivable.feeReceivableId,
  )
  const after = { ...receivable, collectedMinor: receivable.collectedMinor + amountMinor }
  if (outstandingOf(after) > 0n) return after
  return { ...after, status: 'collected', settledAt: now }
}

/**
 * Reverses a receivable. The collected and waived amounts become zero, because their postings are
 * reversed with the receivable. Throws INVALID_STATE_TRANSITION.
 */
export function reverseReceivable(receivable: FeeReceivable, now: Date): FeeReceivable {
  assertTransition(
    feeReceivableStates.table,
    receivable.status,
    'reversed',
    receivable.feeReceivableId,
  )
  const clearedFields = { collectedMinor: 0n, waivedMinor: 0n, isCollectionDue: false }
  return { ...receivable, ...clearedFields, status: 'reversed', settledAt: now }
}
