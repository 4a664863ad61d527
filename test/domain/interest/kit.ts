import { addDays } from '../../../kernel/domain/dates.ts'
import type { InterestPosition } from '../../../subgraphs/interest/domain/position.ts'

/** The position of an account that was opened on a day. */
export function emptyPosition(openedOn: string): InterestPosition {
  const createdAt = new Date(`${openedOn}T09:00:00Z`)
  return {
    arrangementId: 'arr',
    partyId: 'pty',
    productId: 'prd',
    productVersion: '0',
    currency: 'EUR',
    openedOn,
    isBearing: true,
    isClosing: false,
    isEnded: false,
    accruedThrough: addDays(openedOn, -1),
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
    version: 1,
    createdAt,
    updatedAt: createdAt,
  }
}
