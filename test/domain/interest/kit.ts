import { addDays } from '../../../kernel/domain/dates.ts'
import type { InterestPosition } from '../../../subgraphs/interest/domain/position.ts'
import type { Ymd } from './model.ts'

/** A source of numbers from 0 to 1. */
export type Random = () => number

export const between = (next: Random, low: number, high: number) =>
  low + Math.floor(next() * (high - low + 1))
export const oneOf = <Value>(next: Random, values: readonly Value[]) =>
  values[between(next, 0, values.length - 1)]!

export const text = ([y, m, d]: Ymd) =>
  `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`

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
    overdrawnSince: null,
    limitMinor: null,
    exposureThrough: addDays(openedOn, -1),
    version: 1,
    createdAt,
    updatedAt: createdAt,
  }
}
