import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import {
  CollectionsStrategiesDocument,
  type CollectionsStrategyPartsFragment,
} from './queries.generated.ts'
import { scopeOf } from './strategy-values.ts'

const columns: readonly Column<CollectionsStrategyPartsFragment>[] = [
  {
    title: 'For',
    cell: ({ collectionsStrategyId, ...strategy }) => (
      <AppLink
        to="/collections-strategies/$collectionsStrategyId"
        params={{ collectionsStrategyId }}
      >
        {scopeOf(strategy)}
      </AppLink>
    ),
  },
  { title: 'From', cell: ({ effectiveFrom }) => <Time value={effectiveFrom} /> },
  { title: 'Steps', isNumeric: true, cell: ({ steps }) => steps.length },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
]

/** The versions of the steps by which arrears are pursued. */
export function StrategiesTab() {
  const { after } = useSearch({ from: '/collections' })
  const navigate = useNavigate({ from: '/collections' })
  useChangesOfType(['collections.strategy.*'])
  const { data, previousData, error, refetch } = useQuery(CollectionsStrategiesDocument, {
    variables: { status: null, after: after ?? null },
  })
  return (
    <Section
      title="Strategies"
      description="One for a product comes before one for a segment, and this one before one for all contracts; among these, the latest that has begun applies."
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Strategies"
        connection={(data ?? previousData)?.collectionsStrategies}
        columns={columns}
        keyOf={({ collectionsStrategyId }) => collectionsStrategyId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="There is no strategy, so nothing is pursued."
      />
    </Section>
  )
}
