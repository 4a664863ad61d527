import { Problem } from './problems.ts'
import { collateralStates } from '../model/collateral.ts'
import type { CollateralStatus } from '../model/enumerations.ts'
import { isTerminal } from '../../../kernel/domain/states.ts'

const openStatuses = [
  'proposed',
  'valued',
  'active',
  'impaired',
  'release-pending',
  'liquidation',
] as const

/**
 * The statuses in which each action is allowed that changes the data of collateral. Some of these
 * actions change the status as well.
 */
export const actionStatuses = {
  update: ['proposed', 'valued', 'active', 'impaired'],
  value: openStatuses,
  perfect: ['valued', 'active', 'impaired'],
  insure: openStatuses,
  allocate: ['valued', 'active'],
  deallocate: ['valued', 'active', 'impaired', 'release-pending'],
} as const satisfies Record<string, readonly CollateralStatus[]>
export type CollateralAction = keyof typeof actionStatuses

/**
 * Returns the status after an action. A valuation changes `proposed` to `valued`, and a perfection
 * changes `valued` to `active`. Otherwise the status does not change. Throws
 * INVALID_STATE_TRANSITION if the current status does not allow the action.
 */
export function stateAfter(
  { collateralId, status }: { collateralId: string; status: CollateralStatus },
  action: CollateralAction,
): CollateralStatus {
  const allowedStatuses: readonly CollateralStatus[] = actionStatuses[action]
  if (!allowedStatuses.includes(status)) {
    throw new Problem('INVALID_STATE_TRANSITION', {
      detail: `The collateral ${collateralId} is ${status}, which does not allow this action.`,
      resourceId: collateralId,
      currentState: status,
      allowedStates: collateralStates.table[status],
    })
  }
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
  return isTerminal(collateralStates.table, status)
}
