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
  /** The resulting status; null if the status stays. */
  to: CollateralStatus | null
}

const held = ['proposed', 'valued', 'active', 'impaired', 'release-pending', 'liquidation'] as const

/**
 * The actions on a collateral: the statuses they start from and lead to. `value` and `perfect` also
 * change the status the first time.
 */
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

/**
 * Returns the status after an action. Throws INVALID_STATE_TRANSITION if the current status does
 * not allow it.
 */
export function stateAfter(
  { collateralId, status }: { collateralId: string; status: CollateralStatus },
  act: CollateralAct,
): CollateralStatus {
  const { from, to }: Act = collateralActs[act]
  if (from.includes(status)) return to ?? firstMove(status, act)
  if (to !== null)
    requireMove({ ...collateralMoves, [status]: without(status, to) }, status, to, collateralId)
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `The collateral ${collateralId} is ${status}, which does not allow this action.`,
    resourceId: collateralId,
    currentState: status,
    allowedStates: collateralMoves[status],
  })
}

const without = (status: CollateralStatus, to: CollateralStatus) =>
  collateralMoves[status].filter((next) => next !== to)

/** The first valuation turns `proposed` into `valued`; perfection turns `valued` into `active`. */
function firstMove(status: CollateralStatus, act: CollateralAct): CollateralStatus {
  if (act === 'value' && status === 'proposed') return 'valued'
  return act === 'perfect' && status === 'valued' ? 'active' : status
}

/**
 * Whether allocations count as coverage: the security interest is perfected and there is no known
 * defect.
 */
export function isCovering(status: CollateralStatus): boolean {
  return status === 'active' || status === 'release-pending'
}

/** Whether the status is final. */
export function hasEnded(status: CollateralStatus): boolean {
  return collateralMoves[status].length === 0
}
