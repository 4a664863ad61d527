import { Code, Modal, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Query } from '../../parts/query.tsx'
import { SubjectLink } from '../../parts/subject-link.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  ReplayWebhookDeliveriesDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryQuery,
} from './queries.generated.ts'

type Delivery = NonNullable<WebhookDeliveryQuery['webhookDelivery']>
type Attempt = NonNullable<Delivery['attempts']>[number]

const columns: readonly Column<Attempt>[] = [
  { title: 'Attempt', cell: ({ number }) => number },
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  { title: 'Duration', isNumeric: true, cell: ({ durationMs }) => `${durationMs} ms` },
  {
    title: 'Response',
    cell: ({ statusCode, error, response }) => (
      <>
        {statusCode ?? error}
        {response && <Code block>{response}</Code>}
      </>
    ),
  },
]

/** A delivery with all its attempts, if the address of the page names one. */
export function DeliveryDialog({ endpointId }: { endpointId: string }) {
  const { delivery: deliveryId } = useSearch({ from: '/webhooks/$endpointId' })
  const navigate = useNavigate({ from: '/webhooks/$endpointId' })
  if (!deliveryId) return null
  const close = () => void navigate({ search: (old) => ({ ...old, delivery: '' }) })
  return (
    <Modal opened onClose={close} size="xl" title="Delivery">
      <Query query={WebhookDeliveryDocument} variables={{ deliveryId }}>
        {({ webhookDelivery: delivery }) =>
          delivery ? (
            <Content delivery={delivery} endpointId={endpointId} />
          ) : (
            <Text>The delivery is no longer kept.</Text>
          )
        }
      </Query>
    </Modal>
  )
}

function Content({ delivery, endpointId }: { delivery: Delivery; endpointId: string }) {
  const may = useMay()
  const { event } = delivery
  return (
    <Stack>
      <Facts
        facts={[
          ['Event', delivery.eventType],
          ['Subject', event && <SubjectLink key="subject" subject={event.subjectId} />],
          ['Status', <State key="status" value={delivery.status} />],
          ['Delivered', <Time key="delivered" value={delivery.deliveredAt} />],
          ['Next attempt', <Time key="next" value={delivery.nextAt} />],
          ['Repeats', delivery.replayOf],
        ]}
      />
      <ConnectionTable
        label="Attempts"
        connection={{ nodes: delivery.attempts ?? [], pageInfo: { hasNextPage: false } }}
        columns={columns}
        keyOf={({ number }) => String(number)}
        empty="No attempt was made yet."
      />
      {event && (
        <details>
          <summary>Data of the event</summary>
          <Code block>{JSON.stringify(event.data, null, 2)}</Code>
        </details>
      )}
      {event && may('operations:manage') && may('events:subscribe') && (
        <NotifyingButton
          id={`replay:${delivery.deliveryId}`}
          mutation={ReplayWebhookDeliveriesDocument}
          variables={{ input: { endpointId, eventIds: [event.eventId] } }}
          done="The event is sent again"
          variant="default"
        >
          Send it again
        </NotifyingButton>
      )}
    </Stack>
  )
}
