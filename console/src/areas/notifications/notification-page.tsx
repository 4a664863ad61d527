import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { MessageText } from './message-text.tsx'
import {
  CancelNotificationDocument,
  NotificationDocument,
  type NotificationQuery,
} from './queries.generated.ts'

type Notification = NonNullable<NotificationQuery['notification']>

/** A message to a customer; employees also see its delivery. */
export function NotificationPage() {
  const { notificationId } = useParams({ from: '/notifications/$notificationId' })
  const isEmployee = useSession().person.partyId === null
  useChanges([`notification/${notificationId}`])
  return (
    <Query query={NotificationDocument} variables={{ notificationId }}>
      {({ notification }) =>
        notification ? (
          <Page
            subject={`notification/${notificationId}`}
            title={notification.renderedSubject ?? notification.templateCode}
            lead={<State value={notification.status} />}
            actions={<CancelStep notification={notification} />}
          >
            <Message notification={notification} />
            {isEmployee && <Delivery notification={notification} />}
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

function CancelStep({ notification: { notificationId, status } }: { notification: Notification }) {
  const may = useMay()
  if (status !== 'QUEUED' || !may('notifications:write')) return null
  return (
    <CommandButton
      id={`cancel:${notificationId}`}
      mutation={CancelNotificationDocument}
      variables={{ notificationId }}
      variant="default"
    >
      Cancel the notification
    </CommandButton>
  )
}

const Message = ({ notification }: { notification: Notification }) => (
  <Section title="Message">
    {typeof notification.renderedBody === 'string' ? (
      <MessageText channel={notification.channel} body={notification.renderedBody} />
    ) : (
      <Empty>The message has not been rendered. The delivery says why, or when it is due.</Empty>
    )}
  </Section>
)

const Delivery = ({ notification }: { notification: Notification }) => (
  <>
    <Section title="Delivery">
      <Facts
        facts={[
          ['Customer', <CustomerOf key="customer" notification={notification} />],
          ['Template', <TemplateOf key="template" notification={notification} />],
          ['Channel', readable(notification.channel)],
          ['Language', notification.language],
          ['Provider', notification.provider],
          ['Not sent because', reasonOf(notification.suppressionReason)],
          ['Failed because', reasonOf(notification.failureReason)],
          ['Simulated', notification.isSimulated ? 'Yes' : 'No'],
          ['Created', <Time key="created" value={notification.createdAt} />],
          ['Send at', <Time key="send" value={notification.sendAt} />],
          ['Delivered', <Time key="delivered" value={notification.deliveredAt} />],
        ]}
      />
    </Section>
    <Section title="Attempts">
      <ConnectionTable
        label="Attempts"
        connection={{ nodes: notification.attempts, pageInfo: { hasNextPage: false } }}
        columns={[
          { title: 'Time', cell: ({ at }) => <Time value={at} /> },
          { title: 'Result', cell: ({ outcome }) => readable(outcome) },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
        keyOf={({ at }) => at}
        empty="No attempt was made yet. Queued notifications are sent when they are due."
      />
    </Section>
  </>
)

const reasonOf = (reason: string | null | undefined) => reason && readable(reason)

function CustomerOf({ notification: { party } }: { notification: Notification }) {
  if (!party?.displayName) return null
  return <CustomerLink party={{ partyId: party.partyId, displayName: party.displayName }} />
}

function TemplateOf({ notification: { template, templateCode } }: { notification: Notification }) {
  if (!template) return templateCode
  return (
    <AppLink to="/notification-templates/$templateId" params={{ templateId: template.templateId }}>
      {templateCode}
    </AppLink>
  )
}
