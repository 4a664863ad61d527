import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { formatRate } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { Facts, Money } from '../../parts/values.tsx'
import type { CreditOffer } from './credit-offers.ts'
import { useLoanCosts } from './loan-costs.ts'
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
  const [typed] = useDebouncedValue(`${amount} ${termMonths}`, 250)
  const [principal = '0', months = '0'] = typed.split(' ')
  const terms = { amount: principal, currency, ratePct, termMonths: Number(months) }
  const { data: costs, error } = useLoanCosts(terms)
  return (
    <Section title="Estimate" description="The terms that the bank approves may differ.">
      {error && <ProblemAlert error={error} />}
      {!costs && !error && <Lines count={6} />}
      {costs && (
        <Stack>
          <Facts
            facts={[
              [
                'Monthly installment',
                <strong key="installment">
                  <Money value={costs.installment} />
                </strong>,
              ],
              ['Interest rate', formatRate(ratePct)],
              ['Total interest', <Money key="interest" value={costs.totalInterest} />],
              ['Total to pay', <Money key="total" value={costs.totalPayment} />],
            ]}
          />
          <ScheduleChart schedule={costs.installments} currency={currency} />
        </Stack>
      )}
    </Section>
  )
}
