import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { inputProblem, Problem } from '../domain/problems.ts'
import type { SetFacilityStageInput, StageOverride } from '../model/stage-override.ts'
import { findActiveOverrides, stageOverrideKind } from '../store/stage-override.ts'

/**
 * Sets the lowest stage of a facility. It applies from the next run. Throws NOT_FOR_DELEGATED_USERS,
 * FACILITY_NOT_FOUND, VALIDATION_FAILED for stage 1, and RESOURCE_EXISTS if a stage is set already.
 */
export async function setFacilityStage(
  context: Context,
  input: SetFacilityStageInput,
): Promise<StageOverride> {
  requireBank(context)
  const { facilityId, stage, reason } = input
  const operation = 'setFacilityStage'
  return createRecord(context, stageOverrideKind, operation, input, null, async (stamp) => {
    if (stage === 'stage-1') {
      throw inputProblem('VALIDATION_FAILED', '/stage', 'The lowest stage is stage 2 or stage 3.')
    }
    const [facility] = await readFacts(context, [`facility/${facilityId}`])
    if (!facility) throw missingReference('FACILITY_NOT_FOUND', facilityId, '/facilityId')
    const existing = (await findActiveOverrides(context, [facilityId])).get(facilityId)
    if (existing) throw new Problem('RESOURCE_EXISTS', { resourceId: existing.stageOverrideId })
    const record: StageOverride = {
      ...versioned(stamp),
      stageOverrideId: stamp.id,
      facilityId,
      partyId: facility['partyId'] as string,
      stage,
      status: 'active',
      reason,
      setBy: context.caller.subject,
      endReason: null,
      endedBy: null,
    }
    return { record }
  })
}
