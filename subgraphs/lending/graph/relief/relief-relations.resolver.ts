import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import { connectionOf, type Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { listExtraPayments } from '../../store/repayments/extra-payment.ts'
import { hardshipSortKey, listHardshipRequests } from '../../store/relief/hardship-request.ts'
import { listPaymentHolidays } from '../../store/relief/payment-holiday.ts'
import { ExtraPayment } from '../../model/repayments/extra-payment.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { HardshipRequest } from '../../model/relief/hardship-request.ts'
import { PaymentHoliday } from '../../model/relief/payment-holiday.ts'
import { extraPaymentOut, paymentHolidayOut } from './relief-out.ts'

/**
 * Returns a resolver for the extra payments, payment holidays and hardship requests of a facility.
 * `Facility` and `Loan` share these fields.
 */
function reliefOf(type: Shape) {
  @Resolver(() => type)
  class ReliefResolver {
    @Requires('lending:read')
    @FieldResolver(() => connectionOf(ExtraPayment), {
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
    @FieldResolver(() => connectionOf(PaymentHoliday), {
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
    @FieldResolver(() => connectionOf(HardshipRequest), {
      description: 'The hardship requests in the order in which they were submitted.',
    })
    hardshipRequests(
      @Root() { facilityId: loanId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      const filter = { loanId, status: null }
      return readPage(
        context,
        'hardshipRequests',
        filter,
        { first, after },
        (from, take) => listHardshipRequests(context, filter, from, take),
        hardshipSortKey,
      )
    }
  }
  return ReliefResolver
}

export const FacilityReliefResolver = reliefOf(Facility)
export const LoanReliefResolver = reliefOf(Loan)
