import { useQuery } from '@apollo/client/react'
import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import {
  HardshipRequestsDocument,
  type HardshipRequestsQueryVariables,
  type HardshipRowFragment,
} from './queries.generated.ts'

const columns: readonly Column<HardshipRowFragment>[] = [
  {
    title: 'Request',
    cell: ({ hardshipRequestId, type }) => (
      <AppLink to="/hardship/$hardshipRequestId" params={{ hardshipRequestId }}>
        {readable(type)}
      </AppLink>
    ),
  },
  {
    title: 'Loan',
    cell: ({ loanId }) => (
      <AppLink to="/loans/$loanId" params={{ loanId }}>
        {loanId}
      </AppLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Submitted', cell: ({ submittedAt }) => <Time value={submittedAt} /> },
  { title: 'Decide by', cell: ({ decisionDueBy }) => <Time value={decisionDueBy} /> },
]

const statuses = ['SUBMITTED', 'UNDER_REVIEW', 'APPROVED', 'DECLINED', 'CANCELLED', 'ALL']

/** The requests of borrowers for relief, by status. */
export function HardshipPage() {
  const { after, status = 'SUBMITTED' } = useSearch({ from: '/hardship' })
  const navigate = useNavigate({ from: '/hardship' })
  const { data, previousData, error, refetch } = useQuery(HardshipRequestsDocument, {
    variables: {
      status: status === 'ALL' ? null : status,
      after: after ?? null,
    } as HardshipRequestsQueryVariables,
  })
  return (
    <Page title="Hardship requests" lead="Borrowers who ask for relief.">
      <SegmentedControl
        aria-label="Status"
        className="scrolling-x"
        data={statuses.map((value) => ({ value, label: readable(value) }))}
        value={status}
        onChange={(value) => void navigate({ search: { status: value } })}
      />
      <Section title={status === 'ALL' ? 'All requests' : readable(status)}>
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Hardship requests"
          connection={(data ?? previousData)?.hardshipRequests}
          columns={columns}
          keyOf={({ hardshipRequestId }) => hardshipRequestId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="No request has this status. Requests are made on the page of a loan."
        />
      </Section>
    </Page>
  )
}
