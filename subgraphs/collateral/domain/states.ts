import { Problem } from './problems.ts'
import { assertTransition, isTerminal, type Transitions } from '../../../kernel/domain/states.ts'

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
  /** The resulting status; null if the status does not change. */
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
 * The actions on collateral: the statuses in which each is allowed, and the resulting status. In
 * addition, the first `value` and the first `perfect` change the status; see `firstTransition`.
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
 * not allow it.
 */
export function stateAfter(
  { collateralId, status }: { collateralId: string; status: CollateralStatus },
  action: CollateralAction,
): CollateralStatus {
  const { from, to }: Action = collateralActions[action]
  if (from.includes(status)) return to ?? firstTransition(status, action)
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
 * Returns the status after an action without a fixed target. A valuation changes `proposed` to
 * `valued`, and a perfection changes `valued` to `active`. Otherwise the status does not change.
 */
function firstTransition(status: CollateralStatus, action: CollateralAction): CollateralStatus {
  if (action === 'value' && status === 'proposed') return 'valued'
  return action === 'perfect' && status === 'valued' ? 'active' : status
}

/**
 * Whether allocations count as coverage. In these statuses, the security interest is perfected and
 * the collateral is not impaired.
 */
export function isCovering(status: CollateralStatus): boolean {
  return status === 'active' || status === 'release-pending'
}

/** Whether the status is final. */
export function hasEnded(status: CollateralStatus): boolean {
  return isTerminal(collateralTransitions, status)
}
