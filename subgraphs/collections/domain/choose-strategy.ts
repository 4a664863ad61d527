import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { CollectionsStrategy } from '../model/strategy.ts'
import type { LateContract } from './contract.ts'

type Scope = Pick<LateContract, 'segment' | 'productId'>

/**
 * Returns the strategy for a contract on a day: the one for its product, otherwise the one for its
 * segment, otherwise the one for all contracts; null if there is none. Among approved versions with
 * the same scope, the one with the latest effective date applies and, among several, the one that
 * was approved last.
 */
export function strategyFor(
  strategies: readonly CollectionsStrategy[],
  contract: Scope,
  on: LocalDate,
): CollectionsStrategy | null {
  const candidates = strategies
    .filter(({ status, effectiveFrom }) => status === 'approved' && effectiveFrom <= on)
    .filter((strategy) => appliesTo(strategy, contract))
  return candidates.toSorted(byPrecedence)[0] ?? null
}

/** Whether a contract is in the scope of a strategy. */
export function appliesTo(strategy: CollectionsStrategy, { segment, productId }: Scope): boolean {
  if (strategy.productId !== null) return strategy.productId === productId
  return strategy.segment === null || strategy.segment === segment
}

const rankOf = ({ productId, segment }: CollectionsStrategy): number =>
  productId !== null ? 0 : segment !== null ? 1 : 2

function byPrecedence(one: CollectionsStrategy, other: CollectionsStrategy): number {
  const rank = rankOf(one) - rankOf(other)
  if (rank !== 0) return rank
  if (one.effectiveFrom !== other.effectiveFrom) {
    return one.effectiveFrom < other.effectiveFrom ? 1 : -1
  }
  return (other.decidedAt?.getTime() ?? 0) - (one.decidedAt?.getTime() ?? 0)
}
