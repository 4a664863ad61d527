import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Change, DecisionRequest } from '../../../kernel/graph/transitions.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireDepositProduct } from '../domain/self-service.ts'
import type { SelfServiceSettingEvent } from '../events.ts'
import { selfServiceFact } from '../facts.ts'
import type {
  ProposeSelfServiceSettingInput,
  SelfServiceSetting,
} from '../model/self-service-setting.ts'
import { findProductVersions } from '../store/product.ts'
import { selfServiceSettingKind } from '../store/self-service-setting.ts'

/**
 * Proposes whether customers may open accounts of a product themselves. Throws
 * NOT_FOR_DELEGATED_USERS, PRODUCT_NOT_FOUND, VALIDATION_FAILED for a product that is no deposit,
 * RESOURCE_EXISTS.
 */
export async function proposeSelfServiceSetting(
  context: Context,
  request: ProposeSelfServiceSettingInput,
): Promise<SelfServiceSetting> {
  requireBank(context)
  const { selfServiceSettingId: id, productId, isAllowed, reason } = request
  const name = 'proposeSelfServiceSetting'
  return createRecord(context, selfServiceSettingKind, name, request, id, async (stamp) => {
    const product = await findProductVersions(context, productId)
    if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
    requireDepositProduct(productId, product.versions.at(-1)!.productClass)
    const record: SelfServiceSetting = {
      ...versioned(stamp),
      selfServiceSettingId: stamp.id,
      productId,
      isAllowed,
      reason,
      state: 'proposed',
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
    }
    return { record }
  })
}

/** Checks that another person decides on a setting. Throws SEGREGATION_OF_DUTIES. */
export async function decideSelfServiceSetting(
  after: SelfServiceSetting,
  { context, before }: DecisionRequest<SelfServiceSetting>,
): Promise<SelfServiceSetting> {
  const detail = 'The person who proposed a self-service setting cannot decide on it.'
  const { selfServiceSettingId: resourceId } = before
  await requireAnotherPerson(context, [before.proposedBy], { resourceId, detail })
  return after
}

/**
 * Changes the state of a setting. An approved one is published. Throws SELF_SERVICE_SETTING_NOT_FOUND,
 * and whatever `decide` throws.
 */
export const changeSelfServiceSetting: Change<SelfServiceSetting, SelfServiceSettingEvent> = (
  context,
  operation,
  input,
  id,
  event,
  decide,
) =>
  changeRecord(
    context,
    selfServiceSettingKind,
    operation,
    input,
    id,
    event,
    async (before, now) => {
      const record = await decide(before, now)
      return record.state === 'approved' ? { record, facts: [selfServiceFact(record)] } : { record }
    },
  )
