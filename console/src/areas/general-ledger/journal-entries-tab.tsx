import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import {
  JournalEntriesDocument,
  type JournalEntryPartsFragment,
  type JournalEntryState,
} from './queries.generated.ts'

const columns: readonly Column<JournalEntryPartsFragment>[] = [
  {
    title: 'Entry',
    cell: ({ journalEntryId, description }) => (
      <AppLink to="/journal-entries/$journalEntryId" params={{ journalEntryId }}>
        {description}
      </AppLink>
    ),
  },
  { title: 'Accounting date', cell: ({ accountingDate }) => <Time value={accountingDate} /> },
  { title: 'Kind', cell: ({ kind }) => readable(kind) },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
  { title: 'Decided by', cell: ({ decidedBy }) => decidedBy },
]

const states: readonly JournalEntryState[] = ['PROPOSED', 'POSTED', 'REJECTED']

/** The entries that employees make in the general ledger, and those of revaluations and year ends. */
export function JournalEntriesTab() {
  const { state, after } = useSearch({ from: '/month-ends' })
  const navigate = useNavigate({ from: '/month-ends' })
  const { data, previousData, error, refetch } = useQuery(JournalEntriesDocument, {
    variables: {
      state: (state as JournalEntryState | undefined) ?? null,
      after: after ?? null,
    },
  })
  return (
    <Section
      title="Journal entries"
      description="One person proposes an adjustment, and another one posts it."
      actions={
        <SelectFilter
          label="State"
          all="All states"
          isLabelHidden
          data={states.map((value) => ({ value, label: readable(value) }))}
          value={state}
          onChange={(value) =>
            void navigate({ search: { tab: 'entries', state: value || undefined } })
          }
        />
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Journal entries"
        connection={(data ?? previousData)?.journalEntries}
        columns={columns}
        keyOf={({ journalEntryId }) => journalEntryId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty={state ? 'No journal entry is in this state.' : 'No journal entry was made yet.'}
      />
    </Section>
  )
}
