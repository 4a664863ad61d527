import { Arg, Ctx, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import type { Facility as Domain } from '../domain/facility.ts'
import { listExtraPayments } from '../store/extra-payment.ts'
import { listPaymentHolidays } from '../store/payment-holiday.ts'
import { ExtraPaymentConnection } from './extra-payment.types.ts'
import { Facility, Loan } from './facility.types.ts'
import { hardshipPage } from './hardship-request.resolver.ts'
import { HardshipRequestConnection } from './hardship-request.types.ts'
import { PaymentHolidayConnection } from './payment-holiday.types.ts'
import { extraPaymentOut, paymentHolidayOut } from './relief-out.ts'

/** What was paid beside the instalments of a facility, paused and asked for in hardship. */
function reliefOf(type: ClassType<object>) {
  @Resolver(() => type)
  class ReliefResolver {
    @Requires('lending:read')
    @FieldResolver(() => ExtraPaymentConnection)
    extraPayments(
      @Root() { facilityId }: Domain,
      @Arg('first', () => Int, { nullable: true }) first: number | null,
      @Arg('after', () => String, { nullable: true }) after: string | null,
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
    @FieldResolver(() => PaymentHolidayConnection)
    paymentHolidays(
      @Root() { facilityId }: Domain,
      @Arg('first', () => Int, { nullable: true }) first: number | null,
      @Arg('after', () => String, { nullable: true }) after: string | null,
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
    @FieldResolver(() => HardshipRequestConnection)
    hardshipRequests(
      @Root() { facilityId: loanId }: Domain,
      @Arg('first', () => Int, { nullable: true }) first: number | null,
      @Arg('after', () => String, { nullable: true }) after: string | null,
      @Ctx() context: Context,
    ) {
      return hardshipPage(context, { loanId, status: null }, first ?? null, after ?? null)
    }
  }
  return ReliefResolver
}

export const FacilityReliefResolver = reliefOf(Facility)
export const LoanReliefResolver = reliefOf(Loan)
