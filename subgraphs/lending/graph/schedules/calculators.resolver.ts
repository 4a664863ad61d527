import { Arg, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import { annualPercentageRate } from '../../domain/pricing/apr-request.ts'
import { scheduleFor } from '../../domain/schedules/schedule-request.ts'
import { AnnualPercentageRate, AnnualPercentageRateInput } from '../../model/pricing/apr.ts'
import { installmentOut } from '../facilities/facility-out.ts'
import { RepaymentSchedule, RepaymentScheduleInput } from '../../model/schedules/schedule.ts'

/** The calculators require no scope because they neither read nor store data. */
@Resolver()
export class CalculatorsResolver {
  @Query(() => RepaymentSchedule, {
    description: 'Calculates the repayment schedule of a loan. Nothing is stored.',
  })
  repaymentSchedule(
    @Arg('input', () => RepaymentScheduleInput, {
      description: 'The terms of the loan and the events that change its schedule.',
    })
    input: RepaymentScheduleInput,
  ): RepaymentSchedule {
    const { currency } = input
    const schedule = scheduleFor(input)
    return {
      installments: schedule.installments.map((line) => installmentOut(line, currency)),
      totalInterest: formatAmount(schedule.totalInterestMinor, currency),
      totalPayment: formatAmount(schedule.totalPaymentMinor, currency),
    }
  }

  @Query(() => AnnualPercentageRate, {
    description: 'Calculates the annual percentage rate of a loan. Nothing is stored.',
  })
  annualPercentageRate(
    @Arg('input', () => AnnualPercentageRateInput, {
      description: 'The cash flows of the loan and the method of computation.',
    })
    input: AnnualPercentageRateInput,
  ): AnnualPercentageRate {
    return { percent: annualPercentageRate(input) }
  }
}
