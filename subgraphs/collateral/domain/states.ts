import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'

export const collateralStatuses = [
  'proposed',
  'valued',
  'active',
  'impaired',
  'release-pending',
  'released',
  'liquidation',
  'liquidated',
  'rejected',
] as const
export type CollateralStatus = (typeof collateralStatuses)[number]

export const collateralMoves: Transitions<CollateralStatus> = {
  proposed: ['valued', 'rejected'],
  valued: ['active', 'rejected'],
  active: ['impaired', 'release-pending', 'liquidation'],
  impaired: ['active', 'release-pending', 'liquidation'],
  'release-pending': ['active', 'released'],
  liquidation: ['liquidated'],
  released: [],
  liquidated: [],
  rejected: [],
}

interface Act {
  from: readonly CollateralStatus[]
  /** Where it leads; null when the collateral stays in its state. */
  to: CollateralStatus | null
}

const held = ['proposed', 'valued', 'active', 'impaired', 'release-pending', 'liquidation'] as const

/** What can be done to a collateral: from which states, to which. `value` and `perfect` also move the first time. */
export const collateralActs = {
  update: { from: ['proposed', 'valued', 'active', 'impaired'], to: null },
  value: { from: held, to: null },
  perfect: { from: ['valued', 'active', 'impaired'], to: null },
  insure: { from: held, to: null },
  allocate: { from: ['valued', 'active'], to: null },
  deallocate: { from: ['valued', 'active', 'impaired', 'release-pending'], to: null },
  impair: { from: ['active'], to: 'impaired' },
  restore: { from: ['impaired'], to: 'active' },
  requestRelease: { from: ['active', 'impaired'], to: 'release-pending' },
  withdrawRelease: { from: ['release-pending'], to: 'active' },
  release: { from: ['release-pending'], to: 'released' },
  liquidate: { from: ['active', 'impaired'], to: 'liquidation' },
  recordLiquidation: { from: ['liquidation'], to: 'liquidated' },
  reject: { from: ['proposed', 'valued'], to: 'rejected' },
} as const satisfies Record<string, Act>
export type CollateralAct = keyof typeof collateralActs

/** Refuses with INVALID_STATE_TRANSITION an act that the state does not allow; answers the state after it. */
export function stateAfter(
  { collateralId, status }: { collateralId: string; status: CollateralStatus },
  act: CollateralAct,
): CollateralStatus {
  const { from, to }: Act = collateralActs[act]
  if (from.includes(status)) return to ?? firstMove(status, act)
  if (to !== null)
    requireMove({ ...collateralMoves, [status]: without(status, to) }, status, to, collateralId)
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `${collateralId} is ${status}.`,
    resourceId: collateralId,
    currentState: status,
    allowedStates: collateralMoves[status],
  })
}

const without = (status: CollateralStatus, to: CollateralStatus) =>
  collateralMoves[status].filter((next) => next !== to)

/** A first valuation makes what was proposed valued; perfection makes what was valued count. */
function firstMove(status: CollateralStatus, act: CollateralAct): CollateralStatus {
  if (act === 'value' && status === 'proposed') return 'valued'
  return act === 'perfect' && status === 'valued' ? 'active' : status
}

/** Whether what is allocated of it counts: it is ours to sell, and nothing is known against it. */
export function isCovering(status: CollateralStatus): boolean {
  return status === 'active' || status === 'release-pending'
}

/** Whether nothing comes after. */
export function hasEnded(status: CollateralStatus): boolean {
  return collateralMoves[status].length === 0
}
