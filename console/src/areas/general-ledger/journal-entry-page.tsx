import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  JournalEntryDocument,
  PostJournalEntryDocument,
  RejectJournalEntryDocument,
  type JournalEntryQuery,
} from './queries.generated.ts'

type Entry = NonNullable<JournalEntryQuery['journalEntry']>
type Line = Entry['entryLines'][number]

const columns: readonly Column<Line>[] = [
  { title: 'Account', cell: ({ accountNumber }) => accountNumber },
  { title: 'Ledger account', cell: ({ ledgerAccountId }) => <Id value={ledgerAccountId} /> },
  {
    title: 'Debit',
    isNumeric: true,
    cell: ({ side, amount }) => side === 'DEBIT' && <Money value={amount} />,
  },
  {
    title: 'Credit',
    isNumeric: true,
    cell: ({ side, amount }) => side === 'CREDIT' && <Money value={amount} />,
  },
]

/** A journal entry with its lines, which another person posts or rejects while it is proposed. */
export function JournalEntryPage() {
  const { journalEntryId } = useParams({ from: '/journal-entries/$journalEntryId' })
  return (
    <Query query={JournalEntryDocument} variables={{ journalEntryId }}>
      {({ journalEntry }) => (journalEntry ? <Details entry={journalEntry} /> : <NotFound />)}
    </Query>
  )
}

function Details({ entry }: { entry: Entry }) {
  const { journalEntryId, description, state, entryLines } = entry
  useChanges([`journal-entry/${journalEntryId}`])
  return (
    <Page
      subject={`journal-entry/${journalEntryId}`}
      title={description}
      lead={<State value={state} />}
      actions={<Decision entry={entry} />}
    >
      <Section title="Lines">
        <RowTable
          label="Lines"
          rows={entryLines}
          columns={columns}
          keyOf={(line) => String(entryLines.indexOf(line))}
        />
      </Section>
      <Section title="Details">
        <Facts facts={factsOf(entry)} />
      </Section>
    </Page>
  )
}

function factsOf(entry: Entry): Parameters<typeof Facts>[0]['facts'] {
  const { accountingDate, postingInstructionId: posting } = entry
  return [
    [
      'Accounting date',
      <AppLink
        key="month"
        to="/month-ends/$accountingPeriodId"
        params={{ accountingPeriodId: accountingDate.slice(0, 7) }}
      >
        <Time value={accountingDate} />
      </AppLink>,
    ],
    ['Kind', readable(entry.kind)],
    ['Proposed by', entry.proposedBy],
    ['Proposed', <Time key="proposed" value={entry.createdAt} />],
    ['Decided by', entry.decidedBy],
    ['Decided', <Time key="decided" value={entry.decidedAt} />],
    ['Posting', posting && <Id key="posting" value={posting} />],
    ['ID', <Id key="id" value={entry.journalEntryId} />],
  ]
}

function Decision({ entry: { journalEntryId, state, proposedBy } }: { entry: Entry }) {
  const canApprove = useMay()('accounting:approve')
  const { username } = useSession().person
  if (!canApprove || state !== 'PROPOSED' || proposedBy === username) return null
  const step = { variables: { journalEntryId } } as const
  return (
    <>
      <NotifyingButton
        {...step}
        id={`post:${journalEntryId}`}
        mutation={PostJournalEntryDocument}
        done="Journal entry posted"
      >
        Post
      </NotifyingButton>
      <NotifyingButton
        {...step}
        variant="default"
        id={`reject:${journalEntryId}`}
        mutation={RejectJournalEntryDocument}
        done="Journal entry rejected"
      >
        Reject
      </NotifyingButton>
    </>
  )
}
