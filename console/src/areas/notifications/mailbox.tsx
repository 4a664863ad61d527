import { useQuery } from '@apollo/client/react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Time } from '../../parts/values.tsx'
import { MailboxDocument, type MailboxQuery } from './queries.generated.ts'

type Row = NonNullable<MailboxQuery['mailbox']>['nodes'][number]

const columns: readonly Column<Row>[] = [
  {
    title: 'Message',
    cell: ({ notificationId, subject, body }) => (
      <AppLink to="/notifications/$notificationId" params={{ notificationId }}>
        {subject ?? body.slice(0, 80)}
      </AppLink>
    ),
  },
  { title: 'Channel', cell: ({ channel }) => readable(channel) },
  { title: 'Received', cell: ({ receivedAt }) => <Time value={receivedAt} /> },
]

interface MailboxProps {
  partyId: string
  after: string | undefined
  onPage: (after: string | undefined) => void
}

/** The inbox of a party at the bank. New messages appear as they arrive. */
export function Mailbox({ partyId, after, onPage }: MailboxProps) {
  useChangesOfType(['notifications.notification.*'])
  const { data, previousData, error, refetch } = useQuery(MailboxDocument, {
    variables: { partyId, after: after ?? null },
  })
  return (
    <Section title="Inbox" description="The oldest message first.">
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Inbox"
        connection={(data ?? previousData)?.mailbox}
        columns={columns}
        keyOf={({ mailId }) => mailId}
        after={after}
        onPage={onPage}
        empty="There are no messages yet. New messages appear here as soon as they arrive."
      />
    </Section>
  )
}

/** The inbox of a customer, for employees. */
export function MailboxPage() {
  const { partyId } = useParams({ from: '/mailbox/$partyId' })
  const { after } = useSearch({ from: '/mailbox/$partyId' })
  const navigate = useNavigate({ from: '/mailbox/$partyId' })
  return (
    <Page title="Inbox of a customer" lead={<Id value={partyId} />}>
      <Mailbox
        partyId={partyId}
        after={after}
        onPage={(cursor) => void navigate({ search: { after: cursor ?? '' } })}
      />
    </Page>
  )
}
