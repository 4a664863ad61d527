import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { changeFacility } from './change-facility.ts'
import { isOpen, stateProblem, type Facility } from '../../domain/facilities/facility.ts'
import { requireFacility } from './require-facility.ts'
import { requireSettlementAccount } from './customer-account.ts'

export interface SettlementAccountChange {
  facilityId: string
  settlementArrangementId: string
}

/**
 * Changes the account to which a facility pays out and from which it collects. Drawdowns that were
 * already requested keep their destination. If the account is already the settlement account,
 * nothing changes. Throws NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, STATE_CONFLICT if the
 * facility can no longer pay out or collect, and whatever `requireSettlementAccount` throws.
 */
export function changeSettlementAccount(
  context: Context,
  input: SettlementAccountChange,
): Promise<Facility> {
  requireBank(context)
  return command(context, 'changeSettlementAccount', input, async () => {
    const { facilityId, settlementArrangementId } = input
    const before = await requireFacility(context, facilityId)
    if (before.settlementArrangementId === settlementArrangementId) {
      return { result: before, resourceId: facilityId }
    }
    if (!isOpen(before)) {
      const detail = `${facilityId} is ${before.state}; it no longer pays out or collects.`
      throw stateProblem(before, 'STATE_CONFLICT', isOpen, detail)
    }
    await requireSettlementAccount(context, before, settlementArrangementId)
    const { facility, writes, events, facts } = await changeFacility(context, {
      before,
      after: { ...before, settlementArrangementId },
      emit: ['lending.facility.settlement-account-changed'],
    })
    return { result: facility, resourceId: facilityId, writes, events, facts }
  })
}
