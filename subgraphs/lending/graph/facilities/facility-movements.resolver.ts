import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import { connectionOf, type Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { listDrawdowns } from '../../store/drawdowns/drawdown.ts'
import { listRepayments } from '../../store/repayments/repayment.ts'
import { Drawdown } from '../../model/drawdowns/drawdown.ts'
import { drawdownOut } from '../drawdowns/drawdown-out.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { repaymentOut } from '../repayments/repayment-out.ts'
import { Repayment } from '../../model/repayments/repayment.ts'

/**
 * Returns a resolver for the drawdowns and repayments of a facility, which `Facility` and `Loan`
 * share.
 */
function movementsOf(type: Shape) {
  @Resolver(() => type)
  class MovementsResolver {
    @Requires('lending:read')
    @FieldResolver(() => connectionOf(Repayment), {
      description: 'The repayments in the order in which they were recorded.',
    })
    repayments(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
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
    @FieldResolver(() => connectionOf(Drawdown), {
      description: 'The drawdowns in the order in which they were requested.',
    })
    drawdowns(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
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
