import { randomBytes } from 'node:crypto'
import type { BankRequest } from './contention-client.ts'

/** The kinds of movements, each with its share of the mix. */
export const movementShares = {
  postings: 30,
  batches: 6,
  authorizations: 9,
  settlements: 6,
  releases: 3,
  reversals: 4,
  charges: 3,
  transfers: 22,
  'standing-orders': 1,
  drawdowns: 3,
  repayments: 3,
  'extra-payments': 1,
  blocks: 0.3,
  'fee-runs': 0.2,
} as const

export type MovementKind = keyof typeof movementShares

export const movementKinds = Object.keys(movementShares) as MovementKind[]

/** How long one hot account stays the hottest. Contention is highest when nearly all movements share one account. */
const hottestForMs = 2500

/** By how much a movement changes an account, in minor units. */
export interface Effect {
  accountId: string
  committed?: number
  pendingIn?: number
  pendingOut?: number
}

/** A request that moves money, or changes what may be moved, with its effects when it is accepted. */
export interface Movement {
  kind: MovementKind
  request: BankRequest
  effects: readonly Effect[]
  /** The end-to-end ids of its postings, each unique over all movements. */
  endToEndIds: readonly string[]
  /** Called once after acceptance; returns what the same client does next, if anything. */
  onDone?: (body: any) => Movement | void
  /** Called once after a rejection. */
  onRefused?: () => void
}

/** Produces the next movement of a kind, or null when there is nothing to work on. */
export type Producer = (random: () => number) => Movement | null

/** A text that no other movement has. */
export function uniqueId(): string {
  return randomBytes(12).toString('hex')
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!
}

/** One of the hot items, most often the currently hottest, which changes over time. */
export function pickHottest<Item>(hot: readonly Item[], random: () => number): Item {
  if (random() < 0.05) return pick(hot, random)
  return hot[Math.floor(performance.now() / hottestForMs) % hot.length]!
}

/** Removes an item from a list, so that no other client uses it meanwhile. */
export function takeOut<Item>(items: Item[], random: () => number): Item | null {
  if (items.length === 0) return null
  const at = Math.floor(random() * items.length)
  const item = items[at]!
  items[at] = items.at(-1)!
  items.pop()
  return item
}

/** The effects of reversing a movement. */
export function inverse(effects: readonly Effect[]): Effect[] {
  return effects.map(({ accountId, committed = 0 }) => ({ accountId, committed: -committed }))
}
