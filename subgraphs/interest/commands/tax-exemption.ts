import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireValidity } from '../domain/validity.ts'
import type { GrantInterestTaxExemptionInput, TaxExemption } from '../model/tax-exemption.ts'
import { taxExemptionKind } from '../store/tax-exemption.ts'
import { deposits } from './book.ts'
import { requirePosition } from './require-position.ts'

/**
 * Exempts the interest of an account from withholding tax for a period. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND, INVALID_DATE_RANGE, RESOURCE_EXISTS.
 */
export async function grantTaxExemption(
  context: Context,
  request: GrantInterestTaxExemptionInput,
): Promise<TaxExemption> {
  requireBank(context)
  const name = 'grantInterestTaxExemption'
  const { taxExemptionId, arrangementId, validFrom, validTo = null, reason } = request
  return createRecord(context, taxExemptionKind, name, request, taxExemptionId, async (stamp) => {
    requireValidity({ validFrom, validTo })
    const { partyId } = await requirePosition(context, deposits, arrangementId)
    const record: TaxExemption = {
      ...versioned(stamp),
      taxExemptionId: stamp.id,
      arrangementId,
      partyId,
      validFrom,
      validTo,
      reason,
      state: 'granted',
      revokedOn: null,
      grantedBy: context.caller.subject,
    }
    return { record }
  })
}
