import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Balance, Standing } from '../../_ledger/domain/balance.ts'
import type { ParameterValue } from './parameters.ts'

export const arrangementStates = [
  'pending',
  'active',
  'blocked',
  'dormant',
  'pending-closure',
  'closed',
  'rejected',
  'cancelled',
] as const
export type ArrangementState = (typeof arrangementStates)[number]

export const arrangementMoves: Transitions<ArrangementState> = {
  pending: ['active', 'rejected', 'cancelled'],
  active: ['blocked', 'dormant', 'pending-closure'],
  blocked: ['active'],
  dormant: ['active', 'pending-closure'],
  'pending-closure': ['active', 'closed'],
  closed: [],
  rejected: [],
  cancelled: [],
}

/** What is done to an arrangement. Four acts make active, each from a state of its own. */
export const arrangementActs = {
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
export type ArrangementAct = keyof typeof arrangementActs

export const blockKinds = ['debit', 'credit', 'all'] as const
export type BlockKind = (typeof blockKinds)[number]

/** An account of a customer, pinned to the version of the product it was opened under. */
export interface Arrangement {
  arrangementId: string
  customerId: string
  partyId: string
  productId: string
  productVersion: string
  state: ArrangementState
  /** Why it was blocked, rejected, cancelled or closed. */
  stateReason: string | null
  /** Which way money cannot move while it is blocked. */
  blockedFor: BlockKind | null
  openedAt: Date
  closedAt: Date | null
  currency: string
  accountNumber: string
  nickname: string | null
  overdraftLimitMinor: bigint
  parameters: Record<string, ParameterValue>
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** How money may move in a state: not before an account is approved, only in while it is dormant. */
export function guardOf(arrangement: Arrangement): Pick<Balance, 'blockedFor' | 'isClosed'> {
  const { state, blockedFor } = arrangement
  if (state === 'pending') return { blockedFor: 'all', isClosed: false }
  if (state === 'dormant') return { blockedFor: 'debit', isClosed: false }
  return { blockedFor, isClosed: hasEnded(arrangement) }
}

/** Whether nothing can happen any more, so that it no longer counts against the customer's limit. */
export function hasEnded({ state }: Arrangement): boolean {
  return arrangementMoves[state].length === 0
}

/** Does what only changes the state. Refuses with INVALID_STATE_TRANSITION. */
export function moveArrangement(
  arrangement: Arrangement,
  act: Exclude<ArrangementAct, 'block' | 'close'>,
  reason: string | null = null,
): Arrangement {
  return move(arrangement, act, { stateReason: reason, blockedFor: null })
}

/** Stops money from leaving, from coming, or both. Refuses with INVALID_STATE_TRANSITION. */
export function blockArrangement(
  arrangement: Arrangement,
  kind: BlockKind,
  reason: string | null,
): Arrangement {
  return move(arrangement, 'block', { stateReason: reason, blockedFor: kind })
}

/**
 * Ends an account on which nothing is left, neither money nor what is on its way.
 * Refuses with INVALID_STATE_TRANSITION, ARRANGEMENT_NOT_EMPTY.
 */
export function closeArrangement(
  arrangement: Arrangement,
  standing: Standing,
  now: Date,
): Arrangement {
  const closed = move(arrangement, 'close', { closedAt: now })
  const { committedMinor, pendingInMinor, pendingOutMinor } = standing
  const isEmpty = committedMinor === 0n && pendingInMinor === 0n && pendingOutMinor === 0n
  if (isEmpty) return closed
  throw new Problem('ARRANGEMENT_NOT_EMPTY', {
    resourceId: arrangement.arrangementId,
    currentState: arrangement.state,
    allowedStates: arrangementMoves[arrangement.state].filter((state) => state !== 'closed'),
  })
}

function move(
  arrangement: Arrangement,
  act: ArrangementAct,
  changes: Partial<Arrangement>,
): Arrangement {
  requireMove(movesBy(act), arrangement.state, arrangementActs[act].to, arrangement.arrangementId)
  return { ...arrangement, ...changes, state: arrangementActs[act].to }
}

/** The table as an act sees it: its own move only from its own states, so that a refusal names no other's. */
function movesBy(act: ArrangementAct): Transitions<ArrangementState> {
  const { from, to }: { from: readonly ArrangementState[]; to: ArrangementState } =
    arrangementActs[act]
  const entries = arrangementStates.map((state) => [
    state,
    arrangementMoves[state].filter((next) => next !== to || from.includes(state)),
  ])
  return Object.fromEntries(entries) as Transitions<ArrangementState>
}
