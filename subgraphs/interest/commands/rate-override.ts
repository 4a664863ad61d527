import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DecisionRequest } from '../../../kernel/graph/transitions.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireRate, requireValidity } from '../domain/validity.ts'
import type { ProposeInterestRateOverrideInput, RateOverride } from '../model/rate-override.ts'
import { rateOverrideKind } from '../store/rate-override.ts'
import { deposits } from './book.ts'
import { requirePosition } from './require-position.ts'

/**
 * Proposes an interest rate for one account, which another person has to approve. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND, INVALID_DATE_RANGE, VALIDATION_FAILED,
 * RESOURCE_EXISTS.
 */
export async function proposeRateOverride(
  context: Context,
  request: ProposeInterestRateOverrideInput,
): Promise<RateOverride> {
  requireBank(context)
  const name = 'proposeInterestRateOverride'
  const { rateOverrideId, arrangementId, annualRatePct, validFrom, validTo = null } = request
  return createRecord(context, rateOverrideKind, name, request, rateOverrideId, async (stamp) => {
    requireRate(annualRatePct)
    requireValidity({ validFrom, validTo }, dateOf(stamp.now))
    const { partyId } = await requirePosition(context, deposits, arrangementId)
    const record: RateOverride = {
      ...versioned(stamp),
      rateOverrideId: stamp.id,
      arrangementId,
      partyId,
      annualRatePct,
      validFrom,
      validTo,
      reason: request.reason,
      state: 'proposed',
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
    }
    return { record }
  })
}

/**
 * Checks that another person decides on a proposed rate and that an approved rate changes no day
 * that has passed. Throws SEGREGATION_OF_DUTIES, INVALID_DATE_RANGE.
 */
export async function decideRateOverride(
  after: RateOverride,
  { context, before, now }: DecisionRequest<RateOverride>,
): Promise<RateOverride> {
  const detail = 'The person who proposed a rate cannot decide on it.'
  const { rateOverrideId: resourceId } = before
  await requireAnotherPerson(context, [before.proposedBy], { resourceId, detail })
  if (after.state === 'approved') requireValidity(before, dateOf(now))
  return after
}
