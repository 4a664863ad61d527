import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { listExtraPayments } from '../../store/repayments/extra-payment.ts'
import { listPaymentHolidays } from '../../store/relief/payment-holiday.ts'
import { ExtraPaymentConnection } from '../../model/repayments/extra-payment.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { hardshipPage } from './hardship-request.resolver.ts'
import { HardshipRequestConnection } from '../../model/relief/hardship-request.ts'
import { PaymentHolidayConnection } from '../../model/relief/payment-holiday.ts'
import { extraPaymentOut, paymentHolidayOut } from './relief-out.ts'

/**
 * Returns a resolver for the extra payments, payment holidays and hardship requests of a facility.
 * `Facility` and `Loan` share these fields.
 */
function reliefOf(type: Shape) {
  @Resolver(() => type)
  class ReliefResolver {
    @Requires('lending:read')
    @FieldResolver(() => ExtraPaymentConnection, {
      description: 'The extra payments in the order in which they were requested.',
    })
    extraPayments(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      return readPage(
        context,
        'extraPayments',
        { facilityId },
        { first, after },
        async (from, take) =>
          (await listExtraPayments(context, facilityId, from, take)).map(extraPaymentOut),
        ({ createdAt, extraPaymentId }) => [createdAt.toISOString(), extraPaymentId],
      )
    }

    @Requires('lending:read')
    @FieldResolver(() => PaymentHolidayConnection, {
      description: 'The payment holidays in the order in which they were requested.',
    })
    paymentHolidays(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      return readPage(
        context,
        'paymentHolidays',
        { facilityId },
        { first, after },
        async (from, take) =>
          (await listPaymentHolidays(context, facilityId, from, take)).map(paymentHolidayOut),
        ({ createdAt, paymentHolidayId }) => [createdAt.toISOString(), paymentHolidayId],
      )
    }

    @Requires('lending:read')
    @FieldResolver(() => HardshipRequestConnection, {
      description: 'The hardship requests in the order in which they were submitted.',
    })
    hardshipRequests(
      @Root() { facilityId: loanId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      return hardshipPage(context, { loanId, status: null }, first ?? null, after ?? null)
    }
  }
  return ReliefResolver
}

export const FacilityReliefResolver = reliefOf(Facility)
export const LoanReliefResolver = reliefOf(Loan)
