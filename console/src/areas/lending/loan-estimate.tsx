import { useQuery } from '@apollo/client/react'
import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useBusinessDate } from '../../app/environment.ts'
import { formatRate } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { Facts, Money } from '../../parts/values.tsx'
import type { CreditOffer } from './credit-offers.ts'
import { EstimateScheduleDocument } from './queries.generated.ts'
import { ScheduleChart } from './schedule-chart.tsx'

/** What a loan would cost if it were paid out today at the offered rate. */
export function LoanEstimate({
  offer,
  amount,
  termMonths,
}: {
  offer: CreditOffer
  amount: number
  termMonths: number
}) {
  const { currency, ratePct } = offer
  const on = useBusinessDate()
  const [typed] = useDebouncedValue(`${amount} ${termMonths}`, 250)
  const [principal = '0', months = '0'] = typed.split(' ')
  const { data, previousData, error } = useQuery(EstimateScheduleDocument, {
    variables: {
      input: {
        currency,
        annualRatePercent: ratePct,
        disbursements: [{ on: on!, amount: principal }],
        installments: Number(months),
      },
    },
    skip: !on || !(Number(principal) > 0) || !(Number(months) > 0),
  })
  const schedule = (data ?? previousData)?.repaymentSchedule
  return (
    <Section title="Estimate" description="The terms that the bank approves may differ.">
      {error && <ProblemAlert error={error} />}
      {!schedule && !error && <Lines count={6} />}
      {schedule && (
        <Stack>
          <Facts
            facts={[
              [
                'Monthly installment',
                <strong key="installment">
                  <Money value={{ amount: schedule.installments[0]?.payment ?? '0', currency }} />
                </strong>,
              ],
              ['Interest rate', formatRate(ratePct)],
              [
                'Total interest',
                <Money key="interest" value={{ amount: schedule.totalInterest, currency }} />,
              ],
              [
                'Total to pay',
                <Money key="total" value={{ amount: schedule.totalPayment, currency }} />,
              ],
            ]}
          />
          <ScheduleChart schedule={schedule.installments} currency={currency} />
        </Stack>
      )}
    </Section>
  )
}
