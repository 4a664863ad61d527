import type { CollateralStatus } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import { assertTransition, isTerminal, type Transitions } from '../../../kernel/domain/states.ts'

export const collateralTransitions: Transitions<CollateralStatus> = {
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

interface Action {
  from: readonly CollateralStatus[]
  /** The resulting status; null if `statusWithoutTarget` determines it from the current status. */
  to: CollateralStatus | null
}

const openStatuses = [
  'proposed',
  'valued',
  'active',
  'impaired',
  'release-pending',
  'liquidation',
] as const

/**
 * For each action on collateral, the statuses in which the action is allowed, and the resulting
 * status.
 */
export const collateralActions = {
  update: { from: ['proposed', 'valued', 'active', 'impaired'], to: null },
  value: { from: openStatuses, to: null },
  perfect: { from: ['valued', 'active', 'impaired'], to: null },
  insure: { from: openStatuses, to: null },
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
} as const satisfies Record<string, Action>
export type CollateralAction = keyof typeof collateralActions

/**
 * Returns the status after an action. Throws INVALID_STATE_TRANSITION if the current status does
 * not allow the action.
 */
export function stateAfter(
  { collateralId, status }: { collateralId: string; status: CollateralStatus },
  action: CollateralAction,
): CollateralStatus {
  const { from, to }: Action = collateralActions[action]
  if (from.includes(status)) return to ?? statusWithoutTarget(status, action)
  // Always throws: `otherTransitions` omits `to`, which the action cannot reach from this status.
  if (to !== null)
    assertTransition(
      { ...collateralTransitions, [status]: otherTransitions(status, to) },
      status,
      to,
      collateralId,
    )
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `The collateral ${collateralId} is ${status}, which does not allow this action.`,
    resourceId: collateralId,
    currentState: status,
    allowedStates: collateralTransitions[status],
  })
}

const otherTransitions = (status: CollateralStatus, to: CollateralStatus) =>
  collateralTransitions[status].filter((next) => next !== to)

/**
 * Returns the status after an action that has no fixed resulting status. A valuation changes
 * `proposed` to `valued`, and a perfection changes `valued` to `active`. Otherwise the status does
 * not change.
 */
function statusWithoutTarget(status: CollateralStatus, action: CollateralAction): CollateralStatus {
  if (action === 'value' && status === 'proposed') return 'valued'
  return action === 'perfect' && status === 'valued' ? 'active' : status
}

/**
 * Whether the allocations of collateral in a status count as coverage. Collateral that awaits its
 * release still counts, even if it was impaired before the release was requested.
 */
export function isCovering(status: CollateralStatus): boolean {
  return status === 'active' || status === 'release-pending'
}

/** Whether a status is final. */
export function hasEnded(status: CollateralStatus): boolean {
  return isTerminal(collateralTransitions, status)
}
