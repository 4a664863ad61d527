import { useQuery } from '@apollo/client/react'
import { Badge, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import { SubjectLink } from '../../parts/subject-link.tsx'
import { CaseTimelineDocument, type CaseTimelineQuery } from './queries.generated.ts'

type Entry = NonNullable<NonNullable<CaseTimelineQuery['case']>['timeline']>['nodes'][number]

const columnsFor = (isEmployee: boolean): readonly Column<Entry>[] => [
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'What',
    cell: ({ kind, text }) => (
      <>
        {readable(kind)}
        {text && (
          <Text size="sm" className="entry-text" component="div">
            <EntryText kind={kind} text={text} />
          </Text>
        )}
      </>
    ),
  },
  ...(isEmployee
    ? [
        { title: 'By', cell: ({ by }: Entry) => by ?? <Missing /> },
        {
          title: 'Visible to',
          cell: ({ isShared }: Entry) => (
            <Badge variant={isShared ? 'light' : 'default'} className="state">
              {isShared ? 'The customer' : 'The bank only'}
            </Badge>
          ),
        },
      ]
    : []),
]

/** The kinds of entries whose text is the ID of a record, and the entity of the record. */
const entities: Readonly<Partial<Record<Entry['kind'], string>>> = {
  ASSIGNED: 'agent',
  SENT_TO_ROUTING: 'routing-profile',
  QUEUED: 'queue',
  DOCUMENT: 'document',
}

function EntryText({ kind, text }: { kind: Entry['kind']; text: string }) {
  const entity = entities[kind]
  if (entity) return <SubjectLink subject={`${entity}/${text}`} />
  return kind === 'LINKED' ? <SubjectLink subject={text} /> : text
}

/** What happened in a case, the oldest entry first. Customers see what is shared with them. */
export function CaseTimeline({ caseId }: { caseId: string }) {
  const { after } = useSearch({ from: '/cases/$caseId' })
  const navigate = useNavigate({ from: '/cases/$caseId' })
  const isEmployee = useSession().person.partyId === null
  const { data, previousData, error, refetch } = useQuery(CaseTimelineDocument, {
    variables: { caseId, after: after ?? null },
  })
  return (
    <Section title="Timeline">
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Timeline"
        connection={(data ?? previousData)?.case?.timeline}
        columns={columnsFor(isEmployee)}
        keyOf={({ number }) => String(number)}
        after={after}
        onPage={(cursor) =>
          void navigate({ search: (old) => ({ ...old, after: cursor }), resetScroll: false })
        }
        empty="Nothing has happened yet. Write a note."
      />
    </Section>
  )
}
