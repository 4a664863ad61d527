import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Facility as Domain } from '../domain/facility.ts'
import { closeFacilityDays } from '../end-of-day.ts'
import { recordRepayment, reverseRepayment } from '../repayments.ts'
import { loadRepayment } from '../store/repayment.ts'
import { Facility } from './facility.types.ts'
import { repaymentOut } from './repayment-out.ts'
import { RecordRepaymentInput, Repayment } from './repayment.types.ts'

/** What comes back of what was lent. */
@Resolver(() => Repayment)
export class RepaymentResolver {
  @Requires('lending:write')
  @Mutation(() => Repayment, {
    description:
      'Records money that is paid back. What is more than due pays the next instalments of a loan, and can be drawn again of a limit.',
  })
  async recordRepayment(
    @Arg('input', () => RecordRepaymentInput) input: RecordRepaymentInput,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    return repaymentOut(await recordRepayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => Repayment, {
    description: 'Takes a repayment back, such as one that bounced. The bank does.',
  })
  async reverseRepayment(
    @Arg('repaymentId', () => ID) repaymentId: string,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    return repaymentOut(await reverseRepayment(context, repaymentId))
  }

  @Requires('lending:read')
  @Query(() => Repayment, { nullable: true, description: 'One repayment.' })
  async repayment(
    @Arg('repaymentId', () => ID) repaymentId: string,
    @Ctx() context: Context,
  ): Promise<Repayment> {
    const repayment = await loadRepayment(context, repaymentId)
    if (repayment) return repaymentOut(repayment)
    throw new Problem('REPAYMENT_NOT_FOUND', { resourceId: repaymentId })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Works the ends of days of one facility through that are over, as the night does for all. The bank does.',
  })
  closeFacilityDays(
    @Arg('facilityId', () => ID) facilityId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return closeFacilityDays(context, facilityId)
  }
}
