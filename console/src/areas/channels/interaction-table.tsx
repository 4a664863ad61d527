import { useQuery } from '@apollo/client/react'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import {
  InteractionsDocument,
  type InteractionPartsFragment,
  type InteractionStatus,
} from './queries.generated.ts'

const columns: readonly Column<InteractionPartsFragment>[] = [
  {
    title: 'Subject',
    cell: ({ interactionId, subject }) => (
      <AppLink to="/interactions/$interactionId" params={{ interactionId }}>
        {subject}
      </AppLink>
    ),
  },
  { title: 'Medium', cell: ({ channel }) => readable(channel) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Customer',
    cell: ({ party }) => (party ? <CustomerLink party={party} /> : <Missing />),
  },
  { title: 'Agent', cell: ({ agent }) => agent?.name ?? <Missing /> },
  { title: 'Waits since', cell: ({ waitingSince }) => <Time value={waitingSince} /> },
  { title: 'Started', cell: ({ startedAt }) => <Time value={startedAt} /> },
]

interface InteractionTableProps {
  filter: { queueId?: string; agentId?: string; partyId?: string }
  status?: InteractionStatus | undefined
  after?: string | undefined
  onPage: (after: string | undefined) => void
  empty: string
}

/** Contacts and tasks, in the order in which they arrived. */
export function InteractionTable({ filter, status, after, onPage, empty }: InteractionTableProps) {
  const { data, previousData, error, refetch } = useQuery(InteractionsDocument, {
    variables: { ...filter, status: status ?? null, after: after ?? null },
  })
  return (
    <>
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Contacts and tasks"
        connection={(data ?? previousData)?.interactions}
        columns={columns}
        keyOf={({ interactionId }) => interactionId}
        after={after}
        onPage={onPage}
        empty={empty}
      />
    </>
  )
}
