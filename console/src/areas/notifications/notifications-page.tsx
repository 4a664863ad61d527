import { useQuery } from '@apollo/client/react'
import { Group } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { Mailbox } from './mailbox.tsx'
import { channels, notificationStatuses } from './options.ts'
import {
  NotificationsDocument,
  type NotificationChannel,
  type NotificationsQuery,
  type NotificationStatus,
} from './queries.generated.ts'

type Row = NonNullable<NotificationsQuery['notifications']>['nodes'][number]

const columns: readonly Column<Row>[] = [
  {
    title: 'Notification',
    cell: ({ notificationId, templateCode }) => (
      <AppLink to="/notifications/$notificationId" params={{ notificationId }}>
        {templateCode}
      </AppLink>
    ),
  },
  { title: 'Channel', cell: ({ channel }) => readable(channel) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Customer',
    cell: ({ party }) =>
      party?.displayName ? (
        <CustomerLink party={{ partyId: party.partyId, displayName: party.displayName }} />
      ) : (
        <Missing />
      ),
  },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

/** The notifications to all customers for employees; the own inbox for customers. */
export function NotificationsPage() {
  const { partyId } = useSession().person
  const { after } = useSearch({ from: '/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  if (partyId === null) return <StaffNotifications />
  return (
    <Page title="Your messages" lead="What the bank wrote to you.">
      <Mailbox
        partyId={partyId}
        after={after}
        onPage={(cursor) => void navigate({ search: { after: cursor ?? '' } })}
      />
    </Page>
  )
}

function StaffNotifications() {
  const { party, status, channel, after } = useSearch({ from: '/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  const may = useMay()
  useChangesOfType(['notifications.notification.*'])
  const { data, previousData, error, refetch } = useQuery(NotificationsDocument, {
    variables: {
      partyId: party ?? null,
      status: (status as NotificationStatus | undefined) ?? null,
      channel: (channel as NotificationChannel | undefined) ?? null,
      after: after ?? null,
    },
  })
  return (
    <Page
      title="Notifications"
      lead="What the bank sent to its customers, and whether it arrived."
      actions={
        <>
          <LinkButton to="/notification-templates" variant="default">
            Templates
          </LinkButton>
          {may('notifications:write') && (
            <LinkButton to="/notifications/new">Send a notification</LinkButton>
          )}
        </>
      }
    >
      <Filters />
      <Section title="Sent and waiting">
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Notifications"
          connection={(data ?? previousData)?.notifications}
          columns={columns}
          keyOf={({ notificationId }) => notificationId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
          empty="No notification matches. Choose another status or channel, or send a notification."
        />
      </Section>
    </Page>
  )
}

function Filters() {
  const { party, status, channel } = useSearch({ from: '/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  const change = (values: { party?: string; status?: string; channel?: string }) =>
    void navigate({
      search: (old) => ({ ...old, after: '', ...values }),
      resetScroll: false,
    })
  return (
    <Group align="flex-end">
      <SelectFilter
        label="Status"
        all="All statuses"
        data={notificationStatuses}
        value={status}
        onChange={(value) => change({ status: value })}
      />
      <SelectFilter
        label="Channel"
        all="All channels"
        data={channels}
        value={channel}
        onChange={(value) => change({ channel: value })}
      />
      <TextFilter
        label="Party ID"
        placeholder="pty_…"
        value={party}
        onChange={(value) => change({ party: value })}
      />
    </Group>
  )
}
