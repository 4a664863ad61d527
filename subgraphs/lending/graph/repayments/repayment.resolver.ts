import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { closeFacilityDays } from '../../workers/servicing/end-of-day.ts'
import { recordRepayment, reverseRepayment } from '../../commands/repayments/repayment.ts'
import { loadRepayment } from '../../store/repayments/repayment.ts'
import { Facility } from '../../model/facilities/facility.ts'
import { repaymentOut } from './repayment-out.ts'
import { RecordRepaymentInput, Repayment } from '../../model/repayments/repayment.ts'

/** Operations on repayments, and the end-of-day run of one facility. */
@Resolver(() => Repayment)
export class RepaymentResolver {
  @Requires('lending:write')
  @Mutation(() => Repayment, {
    description:
      'Records a repayment. The part of the repayment beyond the amount due prepays the next ' +
      'installments of a loan. For a revolving limit, that part becomes available to be drawn ' +
      'again.',
  })
  async recordRepayment(
    @Arg('input', () => RecordRepaymentInput, { description: 'The repayment to record.' })
    input: RecordRepaymentInput,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    return repaymentOut(await recordRepayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => Repayment, {
    description:
      'Reverses a repayment, for example because the payment bounced. Not available to delegated ' +
      'users.',
  })
  async reverseRepayment(
    @Arg('repaymentId', () => ID, { description: 'The ID of the repayment.' }) repaymentId: string,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    return repaymentOut(await reverseRepayment(context, repaymentId))
  }

  @Requires('lending:read')
  @Query(() => Repayment, { nullable: true, description: 'Returns a repayment.' })
  async repayment(
    @Arg('repaymentId', () => ID, { description: 'The ID of the repayment.' }) repaymentId: string,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    const repayment = await loadRepayment(context, repaymentId)
    if (repayment) return repaymentOut(repayment)
    throw new Problem('REPAYMENT_NOT_FOUND', { resourceId: repaymentId })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Runs the end of day of one facility for all business dates that have ended. Not available ' +
      'to delegated users.',
  })
  closeFacilityDays(
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return closeFacilityDays(context, facilityId)
  }
}
