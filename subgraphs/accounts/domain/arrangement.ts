import { arrangementStates, type Arrangement } from '../model/arrangement.ts'
import { Problem } from './problems.ts'
import { isTerminal, type Lifecycle } from '../../../kernel/domain/states.ts'
import type { Balance, BalanceAmounts } from '../../../ledger/domain/balance.ts'
import { blockOf } from '../../../ledger/domain/block.ts'

/**
 * Returns the ledger's restrictions on an account. `isDepositedForTerm` is whether a term deposit
 * of the account is running.
 */
export function guardOf(
  arrangement: Arrangement,
  isDepositedForTerm = false,
): Pick<Balance, 'blockedFor' | 'isClosed'> {
  return {
    blockedFor: blockOf(arrangement, isDepositedForTerm),
    isClosed: hasEnded(arrangement),
  }
}

/**
 * Whether the state of an account is final. An account in a final state does not count toward the
 * customer's limit.
 */
export function hasEnded({ state }: Pick<Arrangement, 'state'>): boolean {
  return isTerminal(arrangementStates.table, state)
}

/**
 * Returns the lifecycle of an account for other areas. While the closure of an account is pending,
 * no new record can refer to it.
 */
export function lifecycleOf(arrangement: Pick<Arrangement, 'state'>): Lifecycle {
  if (hasEnded(arrangement)) return 'ended'
  return arrangement.state === 'pending-closure' ? 'ending' : 'open'
}

/**
 * Checks that an account can be closed: it has no balance and no open authorizations. Throws
 * ARRANGEMENT_NOT_EMPTY.
 */
export function requireEmpty(
  { arrangementId, state }: Arrangement,
  standing: BalanceAmounts,
): void {
  const { committedMinor, pendingInMinor, pendingOutMinor } = standing
  if (committedMinor === 0n && pendingInMinor === 0n && pendingOutMinor === 0n) return
  throw new Problem('ARRANGEMENT_NOT_EMPTY', {
    resourceId: arrangementId,
    currentState: state,
    allowedStates: arrangementStates.table[state].filter((next) => next !== 'closed'),
  })
}
