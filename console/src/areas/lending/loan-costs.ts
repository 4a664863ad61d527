import { useQuery } from '@apollo/client/react'
import { useBusinessDate } from '../../app/environment.ts'
import { EstimateScheduleDocument } from './queries.generated.ts'

interface LoanTerms {
  amount: string
  currency: string
  ratePct: string
  /** Zero if the term is not known. */
  termMonths: number
}

/** Returns what a loan costs, and its schedule, if it is paid out today; nothing without an amount. */
export function useLoanCosts({ amount, currency, ratePct, termMonths }: LoanTerms) {
  const on = useBusinessDate()
  const { data, previousData, error } = useQuery(EstimateScheduleDocument, {
    variables: {
      input: {
        currency,
        annualRatePercent: ratePct,
        disbursements: [{ on: on!, amount }],
        installments: termMonths,
      },
    },
    skip: !on || !(Number(amount) > 0) || !(termMonths > 0),
  })
  const schedule = (data ?? previousData)?.repaymentSchedule
  const money = (value: string) => ({ amount: value, currency })
  return {
    error,
    data: schedule && {
      installment: money(schedule.installments[0]?.payment ?? '0'),
      totalInterest: money(schedule.totalInterest),
      totalPayment: money(schedule.totalPayment),
      installments: schedule.installments,
    },
  }
}
