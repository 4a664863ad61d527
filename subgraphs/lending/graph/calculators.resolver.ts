import { Arg, Query, Resolver } from 'type-graphql'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { annualPercentageRate } from '../domain/apr-request.ts'
import { scheduleFor } from '../domain/schedule-request.ts'
import { AnnualPercentageRate, AnnualPercentageRateInput } from './apr.types.ts'
import { instalmentOut } from './facility-out.ts'
import { RepaymentSchedule, RepaymentScheduleInput } from './schedule.types.ts'

/** No scope: they read nothing and store nothing. */
@Resolver()
export class CalculatorsResolver {
  @Query(() => RepaymentSchedule, {
    description: 'Computes how a loan is repaid. Stores nothing.',
  })
  repaymentSchedule(
    @Arg('input', () => RepaymentScheduleInput) input: RepaymentScheduleInput,
  ): RepaymentSchedule {
    const { currency } = input
    const schedule = scheduleFor(input)
    return {
      instalments: schedule.instalments.map((line) => instalmentOut(line, currency)),
      totalInterest: formatAmount(schedule.totalInterestMinor, currency),
      totalPayment: formatAmount(schedule.totalPaymentMinor, currency),
    }
  }

  @Query(() => AnnualPercentageRate, {
    description: 'Computes the annual percentage rate of a loan. Stores nothing.',
  })
  annualPercentageRate(
    @Arg('input', () => AnnualPercentageRateInput) input: AnnualPercentageRateInput,
  ): AnnualPercentageRate {
    return { percent: annualPercentageRate(input) }
  }
}
