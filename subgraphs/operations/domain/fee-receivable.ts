import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { FeeRunItem } from './fee-run-item.ts'

export const feeReceivableStatuses = ['open', 'collected', 'waived', 'reversed'] as const
export type FeeReceivableStatus = (typeof feeReceivableStatuses)[number]

/** Reversed: the fee run that charged it was reversed, and what had been collected was refunded. */
export const feeReceivableMoves: Transitions<FeeReceivableStatus> = {
  open: ['collected', 'waived', 'reversed'],
  collected: ['reversed'],
  waived: ['reversed'],
  reversed: [],
}

/** A fee that was due when the account could not pay it. Amounts are in minor units of its currency. */
export interface FeeReceivable extends Versioned {
  feeReceivableId: string
  arrangementId: string
  /** Whose account it is. */
  partyId: string
  feeRunId: string
  feeCode: string
  feeName: string
  periodStart: LocalDate
  periodEnd: LocalDate
  currency: string
  amountMinor: bigint
  collectedMinor: bigint
  waivedMinor: bigint
  status: FeeReceivableStatus
  dueSince: Date
  /** Why it was not collected when it was charged: the code of the rejected posting. */
  reasonCode: string
  /** The posting that booked the income and the receivable. */
  postingInstructionId: string
  settledAt: Date | null
  waivedBy: string | null
  waiverReason: string | null
  /** Money came to the account since the last attempt to collect. */
  isCollectionDue: boolean
}

/** A part of a receivable that was collected from the account or waived, with its posting. */
export interface FeeReceivableMovement {
  postingInstructionId: string
  feeReceivableId: string
  kind: 'collection' | 'waiver'
  amountMinor: bigint
  bookedAt: Date
}

/** Why a posting is rejected that the account may allow later. */
const temporary: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'ARRANGEMENT_BLOCKED',
  'ACCOUNT_SUSPENDED',
])

/** Whether a fee that was rejected with this code remains due. */
export function remainsDue(reasonCode: string): boolean {
  return temporary.has(reasonCode)
}

type Head = Versioned &
  Pick<FeeReceivable, 'feeReceivableId' | 'feeName' | 'reasonCode' | 'postingInstructionId'>

/** The receivable of a fee that could not be collected. */
export function newFeeReceivable(item: FeeRunItem, head: Head): FeeReceivable {
  return {
    ...head,
    arrangementId: item.arrangementId,
    partyId: item.partyId,
    feeRunId: item.feeRunId,
    feeCode: item.feeCode,
    periodStart: item.periodStart,
    periodEnd: item.periodEnd,
    currency: item.currency,
    amountMinor: item.amountMinor!,
    collectedMinor: 0n,
    waivedMinor: 0n,
    status: 'open',
    dueSince: head.createdAt,
    settledAt: null,
    waivedBy: null,
    waiverReason: null,
    isCollectionDue: false,
  }
}

/** What is still owed, in minor units. */
export function outstandingOf(receivable: FeeReceivable): bigint {
  const { status, amountMinor, collectedMinor, waivedMinor } = receivable
  return status === 'open' ? amountMinor - collectedMinor - waivedMinor : 0n
}

/** A part of a receivable that is to be collected. */
export interface Collection {
  receivable: FeeReceivable
  amountMinor: bigint
}

/** Divides what is available among receivables in their order, each in full before the next one. */
export function planCollection(
  oldestFirst: readonly FeeReceivable[],
  availableMinor: bigint,
): Collection[] {
  let left = availableMinor
  return oldestFirst.flatMap((receivable) => {
    const outstanding = outstandingOf(receivable)
    const amountMinor = outstanding < left ? outstanding : left
    if (amountMinor <= 0n) return []
    left -= amountMinor
    return [{ receivable, amountMinor }]
  })
}

/** The receivable after a part of it, or all that was left, was collected. Rejects with INVALID_STATE_TRANSITION. */
export function collectPart({ receivable, amountMinor }: Collection, now: Date): FeeReceivable {
  requireMove(feeReceivableMoves, receivable.status, 'collected', receivable.feeReceivableId)
  const after = { ...receivable, collectedMinor: receivable.collectedMinor + amountMinor }
  if (outstandingOf(after) > 0n) return after
  return { ...after, status: 'collected', settledAt: now }
}

/** Gives up what is left of a receivable. Rejects with INVALID_STATE_TRANSITION. */
export function waiveRest(
  receivable: FeeReceivable,
  { waivedBy, waiverReason, now }: { waivedBy: string; waiverReason: string; now: Date },
): FeeReceivable {
  requireMove(feeReceivableMoves, receivable.status, 'waived', receivable.feeReceivableId)
  const waivedMinor = receivable.waivedMinor + outstandingOf(receivable)
  const settled = { settledAt: now, isCollectionDue: false }
  return { ...receivable, ...settled, waivedMinor, status: 'waived', waivedBy, waiverReason }
}

/** Undoes the fee: nothing is owed any more, and nothing is kept. Rejects with INVALID_STATE_TRANSITION. */
export function reverseReceivable(receivable: FeeReceivable, now: Date): FeeReceivable {
  requireMove(feeReceivableMoves, receivable.status, 'reversed', receivable.feeReceivableId)
  const cleared = { collectedMinor: 0n, waivedMinor: 0n, isCollectionDue: false }
  return { ...receivable, ...cleared, status: 'reversed', settledAt: now }
}
