import { Arg, Ctx, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import type { Facility as Domain } from '../domain/facility.ts'
import { listDrawdowns } from '../store/drawdown.ts'
import { listRepayments } from '../store/repayment.ts'
import { DrawdownConnection } from './drawdown.types.ts'
import { drawdownOut } from './facility-out.ts'
import { Facility, Loan } from './facility.types.ts'
import { repaymentOut } from './repayment-out.ts'
import { RepaymentConnection } from './repayment.types.ts'

/** The money that was drawn and paid back, under either name of a facility. */
function movementsOf(type: ClassType<object>) {
  @Resolver(() => type)
  class MovementsResolver {
    @Requires('lending:read')
    @FieldResolver(() => RepaymentConnection)
    repayments(
      @Root() { facilityId }: Domain,
      @Arg('first', () => Int, { nullable: true }) first: number | null,
      @Arg('after', () => String, { nullable: true }) after: string | null,
      @Ctx() context: Context,
    ) {
      return readPage(
        context,
        'repayments',
        { facilityId },
        { first, after },
        async (from, take) =>
          (await listRepayments(context, facilityId, from, take)).map(repaymentOut),
        ({ createdAt, repaymentId }) => [createdAt.toISOString(), repaymentId],
      )
    }

    @Requires('lending:read')
    @FieldResolver(() => DrawdownConnection)
    drawdowns(
      @Root() { facilityId }: Domain,
      @Arg('first', () => Int, { nullable: true }) first: number | null,
      @Arg('after', () => String, { nullable: true }) after: string | null,
      @Ctx() context: Context,
    ) {
      return readPage(
        context,
        'drawdowns',
        { facilityId },
        { first, after },
        async (from, take) =>
          (await listDrawdowns(context, facilityId, from, take)).map(drawdownOut),
        ({ createdAt, drawdownId }) => [createdAt.toISOString(), drawdownId],
      )
    }
  }
  return MovementsResolver
}

export const FacilityMovementsResolver = movementsOf(Facility)
export const LoanMovementsResolver = movementsOf(Loan)
