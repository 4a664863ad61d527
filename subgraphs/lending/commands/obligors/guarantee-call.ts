import { requireBank, requireFound } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { Change } from '../../../../kernel/graph/transitions.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../../kernel/writing/records.ts'
import { newCall, withdrawnCall } from '../../domain/obligors/guarantee-call.ts'
import { withoutReader, withReader } from '../../domain/obligors/obligor.ts'
import type { CallGuaranteeInput, GuaranteeCall } from '../../model/obligors/guarantee-call.ts'
import type { GuaranteeCallEvent } from '../../obligor-events.ts'
import {
  findOpenCalls,
  guaranteeCallKind,
  loadReceived,
  hasOtherOpenCall,
} from '../../store/obligors/guarantee-call.ts'
import { obligorKind, requireUnchangedObligor } from '../../store/obligors/obligor.ts'
import { changeFacility } from '../facilities/change-facility.ts'
import { readAmount } from '../facilities/customer-account.ts'
import { requireFacility, requireFacilityWithDues } from '../facilities/require-facility.ts'
import { servicedToday } from '../servicing/service-facility.ts'

/**
 * Calls a guarantee. From then on, the guarantor may read the facility and repay it. The facility
 * changes in the same commit, so that the amount is decided on what is owed. Throws
 * NOT_FOR_DELEGATED_USERS, OBLIGOR_NOT_FOUND, CURRENCY_MISMATCH, and whatever `newCall` throws.
 */
export function callGuarantee(
  context: Context,
  request: CallGuaranteeInput,
): Promise<GuaranteeCall> {
  requireBank(context)
  const { guaranteeCallId, obligorId, amount, dueOn } = request
  const name = 'callGuarantee'
  return createRecord(context, guaranteeCallKind, name, request, guaranteeCallId, async (stamp) => {
    const found = await obligorKind.find(context, obligorId)
    const obligor = requireFound(found, 'OBLIGOR_NOT_FOUND', obligorId)
    const { partyId } = obligor
    const facility = await requireFacilityWithDues(context, obligor.facilityId)
    const before = facility.facility
    const amountMinor = readAmount(before, amount)
    // Not from the cache of the request: the command may be repeated after a conflict.
    const [received] = await loadReceived.many(context, [obligorId])
    const base = {
      ...versioned(stamp),
      guaranteeCallId: stamp.id,
      calledBy: context.caller.subject,
    }
    const { facility: today } = servicedToday(context, facility)
    const record = newCall(obligor, today, { amountMinor, dueOn }, received!, base)
    const changed = await changeFacility(context, { before, after: withReader(before, partyId) })
    const { writes, events, facts } = changed
    // The guarantee can end without a change of the facility.
    return { record, writes: [...writes, requireUnchangedObligor(obligor)], events, facts }
  })
}

/**
 * Withdraws a call. Unless another one is open, the guarantor can no longer read the facility. Throws
 * GUARANTEE_CALL_NOT_FOUND and INVALID_STATE_TRANSITION.
 */
export const changeGuaranteeCall: Change<GuaranteeCall, GuaranteeCallEvent> = (
  context,
  operation,
  input,
  id,
  event,
  decide,
) =>
  changeRecord(context, guaranteeCallKind, operation, input, id, event, async (before, now) => {
    const record = await decide(before, now)
    const facility = await requireFacility(context, record.facilityId)
    const isCalled = await hasOtherOpenCall(context, record)
    const after = isCalled ? { ...facility } : withoutReader(facility, record.partyId)
    const { writes, events, facts } = await changeFacility(context, { before: facility, after })
    return { record, writes, events, facts }
  })

/** Returns what withdraws the open calls of guarantors that are no longer liable. */
export async function withdrawCalls(
  context: Context,
  obligorIds: readonly string[],
  reason: string,
) {
  const now = context.now()
  const calls = await findOpenCalls(context, obligorIds)
  const changes = calls.map((before) => ({ before, after: withdrawnCall(before, reason, now) }))
  const event = 'lending.guarantee-call.withdrawn'
  return {
    writes: changes.map(({ before, after }) => guaranteeCallKind.update(before, after)),
    events: changes.flatMap(({ after }) => publicationOf(guaranteeCallKind, after, event).events),
  }
}
