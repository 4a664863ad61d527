import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { FeeRunsDocument, type FeeRunsQuery } from './queries.generated.ts'

type FeeRun = NonNullable<FeeRunsQuery['feeRuns']>['nodes'][number]

const columns: readonly Column<FeeRun>[] = [
  { title: 'Fee', cell: ({ feeCode, dryRun }) => `${feeCode}${dryRun ? ' (dry run)' : ''}` },
  { title: 'Product', cell: ({ productId }) => productId },
  {
    title: 'Period',
    cell: ({ periodStart, periodEnd }) => (
      <>
        <Time value={periodStart} /> – <Time value={periodEnd} />
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Charged',
    isNumeric: true,
    cell: ({ counts: { charged, selected } }) => `${charged} of ${selected}`,
  },
  {
    title: 'Total',
    isNumeric: true,
    cell: ({ totals }) => totals.map((total) => <Money key={total.currency} value={total} />),
  },
]

/** The runs in which the bank charged fees. */
export function FeeRunsSection() {
  const { after } = useSearch({ from: '/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const { data, previousData, error } = useQuery(FeeRunsDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Section title="Fee runs">
      <ConnectionTable
        error={error}
        label="Fee runs"
        connection={(data ?? previousData)?.feeRuns}
        columns={columns}
        keyOf={({ feeRunId }) => feeRunId}
        after={after}
        onPage={(cursor) =>
          void navigate({ search: (old) => ({ ...old, after: cursor }), resetScroll: false })
        }
        empty="No fees were charged yet."
      />
    </Section>
  )
}
