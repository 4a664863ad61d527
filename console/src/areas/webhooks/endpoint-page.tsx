import { Group } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import {
  EnableWebhookEndpointDocument,
  ReplayWebhookDeliveriesDocument,
  TestWebhookEndpointDocument,
  WebhookEndpointDocument,
  type WebhookDeliveryStatus,
  type WebhookEndpointQuery,
} from './queries.generated.ts'

type Endpoint = NonNullable<WebhookEndpointQuery['webhookEndpoint']>
type Delivery = NonNullable<Endpoint['deliveries']>['nodes'][number]

const statuses = ['PENDING', 'RETRYING', 'DELIVERED', 'DEAD_LETTERED'].map((value) => ({
  value,
  label: readable(value),
}))

/** A webhook endpoint: its health, its deliveries, and how to repeat them. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/webhooks/$endpointId' })
  const { status, after } = useSearch({ from: '/webhooks/$endpointId' })
  useChanges([`endpoint/${endpointId}`])
  const variables = {
    endpointId,
    status: (status as WebhookDeliveryStatus | undefined) ?? null,
    after: after ?? null,
  }
  return (
    <Query query={WebhookEndpointDocument} variables={variables}>
      {({ webhookEndpoint: endpoint }) =>
        endpoint ? (
          <Page
            subject={`endpoint/${endpointId}`}
            title={endpoint.url}
            lead={endpoint.description ?? `Events of the program ${endpoint.clientId}`}
            actions={<Actions endpoint={endpoint} />}
          >
            <Health endpoint={endpoint} />
            <Deliveries endpoint={endpoint} />
            <DeliveryDialog endpointId={endpointId} />
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

function Actions({ endpoint: { endpointId, status } }: { endpoint: Endpoint }) {
  const may = useMay()
  if (!may('operations:manage') || !may('events:subscribe')) return null
  if (status !== 'ACTIVE') {
    return (
      <NotifyingButton
        id={`enable:${endpointId}`}
        mutation={EnableWebhookEndpointDocument}
        variables={{ endpointId }}
        done="The endpoint is enabled"
      >
        Enable
      </NotifyingButton>
    )
  }
  return (
    <Group align="flex-start">
      <NotifyingButton
        id={`test:${endpointId}`}
        mutation={TestWebhookEndpointDocument}
        variables={{ endpointId }}
        done="A test event is on its way"
        variant="default"
      >
        Send a test event
      </NotifyingButton>
      <NotifyingButton
        id={`replay:${endpointId}`}
        mutation={ReplayWebhookDeliveriesDocument}
        variables={{ input: { endpointId, allFailed: true } }}
        done="The failed deliveries are sent again"
        variant="default"
      >
        Send failed ones again
      </NotifyingButton>
    </Group>
  )
}

const Health = ({ endpoint }: { endpoint: Endpoint }) => (
  <Section title="Health">
    <Facts
      facts={[
        ['Status', <State key="status" value={endpoint.status} />],
        ['Disabled because', endpoint.statusReason && readable(endpoint.statusReason)],
        ['Failures in a row', endpoint.failures],
        ['Failing since', <Time key="since" value={endpoint.failingSince} />],
        ['Paused until', <Time key="until" value={endpoint.heldUntil} />],
        ['Secrets that sign', endpoint.liveSecrets],
        ['Registered', <Time key="registered" value={endpoint.createdAt} />],
        ['ID', <Id key="id" value={endpoint.endpointId} />],
      ]}
    />
  </Section>
)

const columns: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    cell: ({ deliveryId, eventType }) => (
      <AppLink to="." search={(old: object) => ({ ...old, delivery: deliveryId })}>
        {eventType}
      </AppLink>
    ),
  },
  { title: 'Position', isNumeric: true, cell: ({ position }) => position },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Delivered', cell: ({ deliveredAt }) => <Time value={deliveredAt} /> },
  { title: 'Next attempt', cell: ({ nextAt }) => <Time value={nextAt} /> },
]

function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const { status, after } = useSearch({ from: '/webhooks/$endpointId' })
  const navigate = useNavigate({ from: '/webhooks/$endpointId' })
  return (
    <Section
      title="Deliveries"
      description="In the order in which they were created. A delivery is kept for 30 days after it ended."
      actions={
        <SelectFilter
          label="Status"
          isLabelHidden
          all="All statuses"
          data={statuses}
          value={status}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, status: value, after: '' }) })
          }
        />
      }
    >
      <ConnectionTable
        label="Deliveries"
        connection={endpoint.deliveries}
        columns={columns}
        keyOf={({ deliveryId }) => deliveryId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
        empty="Nothing was sent yet. Events arrive here when a subscription of the program matches them."
      />
    </Section>
  )
}
