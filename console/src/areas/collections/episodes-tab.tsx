import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State } from '../../parts/values.tsx'
import { contractColumns } from './contract-columns.tsx'
import { NextStep } from './next-step.tsx'
import {
  CollectionsEpisodesDocument,
  type CollectionsEpisodeRowFragment,
  type CollectionsEpisodeStatus,
  type CollectionsPauseReason,
} from './queries.generated.ts'
import { optionsOf } from './strategy-values.ts'

const columns: readonly Column<CollectionsEpisodeRowFragment>[] = [
  {
    title: 'Since',
    cell: ({ collectionsEpisodeId, daysPastDue }) => (
      <AppLink to="/collections/$collectionsEpisodeId" params={{ collectionsEpisodeId }}>
        {daysPastDue === 1 ? '1 day' : `${daysPastDue} days`}
      </AppLink>
    ),
  },
  ...contractColumns,
  { title: 'Arrears', isNumeric: true, cell: ({ arrears }) => <Money value={arrears} /> },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Paused for', cell: ({ pauseReason }) => pauseReason && readable(pauseReason) },
  { title: 'Next step', cell: ({ nextStep }) => <NextStep step={nextStep} /> },
]

const statuses: readonly CollectionsEpisodeStatus[] = ['OPEN', 'CLOSED']
const pauseReasons: readonly CollectionsPauseReason[] = [
  'PROMISE_TO_PAY',
  'HARDSHIP_REQUEST',
  'RELIEF',
  'DISPUTE',
  'DECEASED',
  'PROCESSING_RESTRICTED',
  'BELOW_MINIMUM',
]

/** The contracts whose arrears are pursued, or were until they were paid. */
export function EpisodesTab() {
  const { status = 'OPEN', pause, after } = useSearch({ from: '/collections' })
  const navigate = useNavigate({ from: '/collections' })
  useChangesOfType(['collections.episode.*'])
  const { data, previousData, error, refetch } = useQuery(CollectionsEpisodesDocument, {
    variables: {
      status: status === 'ALL' ? null : (status as CollectionsEpisodeStatus),
      pauseReason: (pause as CollectionsPauseReason | undefined) ?? null,
      after: after ?? null,
    },
  })
  const filter = (name: 'status' | 'pause') => (value: string) =>
    void navigate({ search: (old) => ({ ...old, [name]: value, after: undefined }) })
  return (
    <Section
      title="Pursued arrears"
      actions={
        <>
          <SelectFilter
            label="Status"
            all="All statuses"
            isLabelHidden
            data={optionsOf(statuses)}
            value={status === 'ALL' ? undefined : status}
            onChange={(value) => filter('status')(value || 'ALL')}
          />
          <SelectFilter
            label="Paused for"
            all="Paused or not"
            isLabelHidden
            data={optionsOf(pauseReasons)}
            value={pause}
            onChange={filter('pause')}
          />
        </>
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Pursued arrears"
        connection={(data ?? previousData)?.collectionsEpisodes}
        columns={columns}
        keyOf={({ collectionsEpisodeId }) => collectionsEpisodeId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="No arrears are pursued. The nightly run opens an episode when the first step of a strategy is due."
      />
    </Section>
  )
}
