import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import type { Lifecycle } from '../../../kernel/domain/states.ts'
import type { Block } from '../../../ledger/domain/balance.ts'
import type { InterestPosition } from './position.ts'

/** The published fact of an account. */
export interface ArrangementFact {
  arrangementId: string
  partyId: string
  productId: string
  productVersion: string
  state: string
  blockedFor: Block | null
  lifecycle: Lifecycle
  currency: string
  overdraftLimitMinor: string
  /** An instant in ISO 8601. */
  openedAt: string
}

const endedStates: ReadonlySet<string> = new Set(['closed', 'rejected', 'cancelled'])

/** Returns what the state of an account means for its interest. */
export function lifecycleOf({ state }: ArrangementFact) {
  return { isClosing: state === 'pending-closure', isEnded: endedStates.has(state) }
}

/**
 * Creates the position of an account of which nothing is accrued yet. `isBearing` is whether its
 * product version has terms.
 */
export function openPosition(
  account: ArrangementFact,
  isBearing: boolean,
  now: Date,
): InterestPosition {
  const openedOn = dateOf(new Date(account.openedAt))
  const accruedThrough = addDays(openedOn, -1)
  return {
    arrangementId: account.arrangementId,
    partyId: account.partyId,
    productId: account.productId,
    productVersion: account.productVersion,
    currency: account.currency,
    openedOn,
    isBearing,
    ...lifecycleOf(account),
    accruedThrough,
    periodStart: openedOn,
    balanceMinor: 0n,
    ahead: [],
    seenSequence: 0n,
    accruedUnits: 0n,
    accruedMinor: 0n,
    capitalizedMinor: 0n,
    payoutArrangementId: null,
    heldOn: null,
    daysBeyondLimit: 0,
    overdrawnSince: null,
    limitMinor: null,
    exposureThrough: accruedThrough,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}
