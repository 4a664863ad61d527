import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { inputProblem, Problem } from '../domain/problems.ts'
import { overdraftProvisionId } from '../domain/overdraft-id.ts'
import type {
  SetFacilityStageInput,
  SetOverdraftStageInput,
  StageOverride,
} from '../model/stage-override.ts'
import { findActiveOverrides, stageOverrideKind } from '../store/stage-override.ts'

/**
 * Sets the lowest stage of a facility. It applies from the next run. Throws NOT_FOR_DELEGATED_USERS,
 * FACILITY_NOT_FOUND, VALIDATION_FAILED for stage 1, and RESOURCE_EXISTS if a stage is set already.
 */
export async function setFacilityStage(
  context: Context,
  input: SetFacilityStageInput,
): Promise<StageOverride> {
  const { facilityId } = input
  return setStage(context, 'setFacilityStage', input, facilityId, async () => {
    const [facility] = await readFacts(context, [`facility/${facilityId}`])
    if (!facility) throw missingReference('FACILITY_NOT_FOUND', facilityId, '/facilityId')
    return facility['partyId'] as string
  })
}

/**
 * Sets the lowest stage of the overdraft of an account. It applies from the next run. Throws
 * NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND, VALIDATION_FAILED for stage 1, and RESOURCE_EXISTS
 * if a stage is set already.
 */
export async function setOverdraftStage(
  context: Context,
  input: SetOverdraftStageInput,
): Promise<StageOverride> {
  const { arrangementId } = input
  const id = overdraftProvisionId(arrangementId)
  return setStage(context, 'setOverdraftStage', input, id, async () => {
    const [account] = await readFacts(context, [`arrangement/${arrangementId}`])
    if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
    return account['partyId'] as string
  })
}

async function setStage(
  context: Context,
  operation: string,
  input: Pick<SetFacilityStageInput, 'stage' | 'reason'>,
  facilityId: string,
  findParty: () => Promise<string>,
): Promise<StageOverride> {
  requireBank(context)
  const { stage, reason } = input
  return createRecord(context, stageOverrideKind, operation, input, null, async (stamp) => {
    if (stage === 'stage-1') {
      throw inputProblem('VALIDATION_FAILED', '/stage', 'The lowest stage is stage 2 or stage 3.')
    }
    const partyId = await findParty()
    const existing = (await findActiveOverrides(context, [facilityId])).get(facilityId)
    if (existing) throw new Problem('RESOURCE_EXISTS', { resourceId: existing.stageOverrideId })
    const record: StageOverride = {
      ...versioned(stamp),
      stageOverrideId: stamp.id,
      facilityId,
      partyId,
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
