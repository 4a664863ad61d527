import { AreaChart } from '@mantine/charts'
import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import '@mantine/charts/styles.css'
import { useBusinessDate } from '../../app/environment.ts'
import { dayBefore } from '../../parts/days.ts'
import { formatDate, formatMoney, formatShortMoney } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Money } from '../../parts/values.tsx'
import { dailyBalances } from './daily-balances.ts'
import { BalanceHistoryDocument } from './queries.generated.ts'

const periods = [
  { value: '30', label: '1 month' },
  { value: '90', label: '3 months' },
  { value: '365', label: '1 year' },
]

/** The booked balance at the end of each day. */
export function BalanceChart({ arrangementId }: { arrangementId: string }) {
  const { days = '90' } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const to = useBusinessDate()
  const from = to && dayBefore(to, Number(days) || 90)
  const { data, previousData, error } = useQuery(BalanceHistoryDocument, {
    variables: { arrangementId, from: from!, to: to! },
    skip: !to,
  })
  const statement = (data ?? previousData)?.accountArrangement?.statement
  const currency = statement?.currency ?? 'EUR'
  return (
    <Section
      title="Balance over time"
      description={
        statement && (
          <>
            In: <Money value={{ amount: statement.totalCredits, currency }} /> · Out:{' '}
            <Money value={{ amount: statement.totalDebits, currency }} />
          </>
        )
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods}
          value={days}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, days: value }), replace: true })
          }
        />
      }
    >
      {error && <ProblemAlert error={error} />}
      {statement ? (
        <AreaChart
          h={240}
          data={dailyBalances(statement)}
          dataKey="day"
          series={[{ name: 'balance', label: 'Balance', color: 'brand.6' }]}
          curveType="stepAfter"
          withDots={false}
          tickLine="none"
          gridAxis="x"
          xAxisProps={{ tickFormatter: formatDate, minTickGap: 40 }}
          yAxisProps={{
            width: 64,
            tickFormatter: (value: number) => formatShortMoney(value, currency),
          }}
          tooltipProps={{
            labelFormatter: (day) => (typeof day === 'string' ? formatDate(day) : ''),
          }}
          valueFormatter={(value) => formatMoney({ amount: String(value), currency })}
        />
      ) : (
        !error && <Skeleton height={240} />
      )}
    </Section>
  )
}
