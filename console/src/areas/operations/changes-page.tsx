import { useQuery } from '@apollo/client/react'
import { Code, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { SubjectLink } from '../../parts/subject-link.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { Time } from '../../parts/values.tsx'
import { AuditTrailDocument, type AuditTrailQuery } from './queries.generated.ts'

type Entry = NonNullable<AuditTrailQuery['auditTrail']>['nodes'][number]

const columns: readonly Column<Entry>[] = [
  { title: 'Number', isNumeric: true, cell: ({ sequence }) => sequence },
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'What happened',
    cell: ({ meaning, type }) => (
      <>
        {meaning || type}
        {meaning && (
          <Text size="sm" c="dimmed">
            {type}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Changes',
    cell: ({ changes }) => (
      <ul className="plain changes">
        {changes.map(({ member, before, after }) => (
          <li key={member}>
            {member}: {isSet(before) && <Code>{valueOf(before)}</Code>}
            {isSet(before) && ' → '}
            <Code>{valueOf(after)}</Code>
          </li>
        ))}
      </ul>
    ),
  },
  { title: 'By', cell: ({ actor }) => actor },
  { title: 'Request', cell: ({ requestId }) => <Code>{requestId}</Code> },
]

const valueOf = (side: unknown) => JSON.stringify((side as { value: unknown }).value)
const isSet = (side: unknown) => (side as { value: unknown }).value !== null

/** The audit trail of a record: every change, who made it, and with which request. */
export function ChangesPage() {
  const { subject, after } = useSearch({ from: '/changes' })
  const navigate = useNavigate({ from: '/changes' })
  return (
    <Page title="Changes" lead="Every change of a record: what, when, by whom, in which request.">
      <Section title="Audit trail" actions={subject && <SubjectLink subject={subject} />}>
        <TextFilter
          label="Record"
          placeholder="party/pty_ada"
          value={subject}
          onChange={(value) => void navigate({ search: { subject: value } })}
        />
        {subject ? (
          <Trail
            subject={subject}
            after={after}
            onPage={(cursor) => void navigate({ search: { subject, after: cursor ?? '' } })}
          />
        ) : (
          <Empty>Enter the kind and the ID of a record, or follow “Changes” on its page.</Empty>
        )}
      </Section>
    </Page>
  )
}

interface TrailProps {
  subject: string
  after: string | undefined
  onPage: (cursor: string | undefined) => void
}

function Trail({ subject, after, onPage }: TrailProps) {
  const { data, previousData, error } = useQuery(AuditTrailDocument, {
    variables: { subject, after: after ?? null },
  })
  return (
    <>
      <ConnectionTable
        error={error}
        label="Audit trail"
        connection={(data ?? previousData)?.auditTrail}
        columns={columns}
        keyOf={({ eventId }) => eventId}
        after={after}
        onPage={onPage}
        empty="Nothing was recorded for this record. Is the kind right, such as party/pty_ada?"
      />
    </>
  )
}
