import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { feeColumns, useRefundColumns } from './fee-columns.tsx'
import {
  FeeChargesDocument,
  type FeeChargePartsFragment,
  type FeeChargeStatus,
} from './queries.generated.ts'

const statuses: readonly FeeChargeStatus[] = [
  'REFUND_PROPOSED',
  'CHARGED',
  'REFUNDED',
  'WAIVED',
  'FAILED',
  'DUE',
]

const account: Column<FeeChargePartsFragment> = {
  title: 'Account',
  cell: ({ arrangementId }) => (
    <AppLink to="/accounts/$arrangementId" params={{ arrangementId }} search={{ tab: 'fees' }}>
      {arrangementId}
    </AppLink>
  ),
}

/** The fees that were charged one by one to any account, such as those whose refund waits for approval. */
export function FeesPage() {
  const { status, after } = useSearch({ from: '/fees' })
  const navigate = useNavigate({ from: '/fees' })
  const refundColumns = useRefundColumns()
  useChangesOfType(['pricing.fee-charge.*'])
  const { data, previousData, error, refetch } = useQuery(FeeChargesDocument, {
    variables: {
      arrangementId: null,
      status: (status as FeeChargeStatus | undefined) ?? null,
      after: after ?? null,
    },
  })
  return (
    <Page
      title="Single fees"
      lead="Fees that were charged when something happened on an account, or for a service."
    >
      <Section
        title="Charged fees"
        description="One person proposes a refund, and another one approves it. A fee is charged on the page of an account."
        actions={
          <SelectFilter
            label="Status"
            all="All statuses"
            isLabelHidden
            data={statuses.map((value) => ({ value, label: readable(value) }))}
            value={status}
            onChange={(value) => void navigate({ search: { status: value || undefined } })}
          />
        }
      >
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Charged fees"
          connection={(data ?? previousData)?.feeCharges}
          columns={[account, ...feeColumns, ...refundColumns]}
          keyOf={({ feeChargeId }) => feeChargeId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty={status ? 'No fee has this status.' : 'No single fee was charged yet.'}
        />
      </Section>
    </Page>
  )
}
