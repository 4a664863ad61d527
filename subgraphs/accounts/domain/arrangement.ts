import type { Arrangement } from '../model/arrangement.ts'
import { ArrangementState, type BlockKind } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import {
  assertTransition,
  isTerminal,
  type Lifecycle,
  type Transitions,
} from '../../../kernel/domain/states.ts'
import type { Balance, BalanceAmounts } from '../../../ledger/domain/balance.ts'

export const arrangementTransitions: Transitions<ArrangementState> = {
  pending: ['active', 'rejected', 'cancelled'],
  active: ['blocked', 'dormant', 'pending-closure'],
  blocked: ['active'],
  dormant: ['active', 'pending-closure'],
  'pending-closure': ['active', 'closed'],
  closed: [],
  rejected: [],
  cancelled: [],
}

/** The operations on an account. Four of them lead to `active`, each from a different state. */
export const arrangementActions = {
  activate: { from: ['pending'], to: 'active' },
  reject: { from: ['pending'], to: 'rejected' },
  cancel: { from: ['pending'], to: 'cancelled' },
  block: { from: ['active'], to: 'blocked' },
  unblock: { from: ['blocked'], to: 'active' },
  markDormant: { from: ['active'], to: 'dormant' },
  reactivate: { from: ['dormant'], to: 'active' },
  requestClosure: { from: ['active', 'dormant'], to: 'pending-closure' },
  cancelClosure: { from: ['pending-closure'], to: 'active' },
  close: { from: ['pending-closure'], to: 'closed' },
} as const satisfies Record<string, { from: readonly ArrangementState[]; to: ArrangementState }>
export type ArrangementAction = keyof typeof arrangementActions

/**
 * Returns the ledger's restrictions on an account. Until an account is approved, all postings to it
 * are blocked; while it is dormant, only credits are accepted.
 */
export function guardOf(arrangement: Arrangement): Pick<Balance, 'blockedFor' | 'isClosed'> {
  const { state, blockedFor } = arrangement
  if (state === 'pending') return { blockedFor: 'all', isClosed: false }
  if (state === 'dormant') return { blockedFor: 'debit', isClosed: false }
  return { blockedFor, isClosed: hasEnded(arrangement) }
}

/**
 * Whether the state of an account is final. An account in a final state does not count toward the
 * customer's limit.
 */
export function hasEnded({ state }: Pick<Arrangement, 'state'>): boolean {
  return isTerminal(arrangementTransitions, state)
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
 * Applies an operation that needs no data except an optional reason. Throws
 * INVALID_STATE_TRANSITION.
 */
export function transitionArrangement(
  arrangement: Arrangement,
  action: Exclude<ArrangementAction, 'block' | 'close'>,
  reason: string | null = null,
): Arrangement {
  return transition(arrangement, action, { stateReason: reason, blockedFor: null })
}

/** Blocks debits, credits or both. Throws INVALID_STATE_TRANSITION. */
export function blockArrangement(
  arrangement: Arrangement,
  kind: BlockKind,
  reason: string | null,
): Arrangement {
  return transition(arrangement, 'block', { stateReason: reason, blockedFor: kind })
}

/**
 * Closes an account that has no balance and no open authorizations. Throws
 * INVALID_STATE_TRANSITION, ARRANGEMENT_NOT_EMPTY.
 */
export function closeArrangement(
  arrangement: Arrangement,
  standing: BalanceAmounts,
  now: Date,
): Arrangement {
  const closedArrangement = transition(arrangement, 'close', { closedAt: now })
  const { committedMinor, pendingInMinor, pendingOutMinor } = standing
  const isEmpty = committedMinor === 0n && pendingInMinor === 0n && pendingOutMinor === 0n
  if (isEmpty) return closedArrangement
  throw new Problem('ARRANGEMENT_NOT_EMPTY', {
    resourceId: arrangement.arrangementId,
    currentState: arrangement.state,
    allowedStates: arrangementTransitions[arrangement.state].filter((state) => state !== 'closed'),
  })
}

function transition(
  arrangement: Arrangement,
  action: ArrangementAction,
  changes: Partial<Arrangement>,
): Arrangement {
  assertTransition(
    transitionsBy(action),
    arrangement.state,
    arrangementActions[action].to,
    arrangement.arrangementId,
  )
  return { ...arrangement, ...changes, state: arrangementActions[action].to }
}

/**
 * Returns the state transitions without those that lead to the target state of an operation but
 * that only other operations can make. For example, `activate` fails for a blocked account,
 * although `unblock` can make that account active.
 */
function transitionsBy(action: ArrangementAction): Transitions<ArrangementState> {
  const { from, to }: { from: readonly ArrangementState[]; to: ArrangementState } =
    arrangementActions[action]
  const entries = ArrangementState.values.map((state) => [
    state,
    arrangementTransitions[state].filter((next) => next !== to || from.includes(state)),
  ])
  return Object.fromEntries(entries) as Transitions<ArrangementState>
}
