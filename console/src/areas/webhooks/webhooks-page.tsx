import { useQuery } from '@apollo/client/react'
import { Code } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { WebhookEndpointsDocument, type WebhookEndpointsQuery } from './queries.generated.ts'

type Endpoint = NonNullable<WebhookEndpointsQuery['webhookEndpoints']>['nodes'][number]

const columns: readonly Column<Endpoint>[] = [
  {
    title: 'Address',
    cell: ({ endpointId, url }) => (
      <AppLink to="/webhooks/$endpointId" params={{ endpointId }} className="address">
        {url}
      </AppLink>
    ),
  },
  { title: 'Program', cell: ({ clientId }) => clientId },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Failures in a row', isNumeric: true, cell: ({ failures }) => failures },
  { title: 'Registered', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

/** Where the bank sends events, for all programs. */
export function WebhooksPage() {
  const { after } = useSearch({ from: '/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  useChangesOfType(['events.endpoint.*'])
  const { data, previousData, error, refetch } = useQuery(WebhookEndpointsDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Page title="Webhooks" lead="Where the bank sends events, and whether they arrive.">
      <Section title="Endpoints">
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Endpoints"
          connection={(data ?? previousData)?.webhookEndpoints}
          columns={columns}
          keyOf={({ endpointId }) => endpointId}
          after={after}
          onPage={(cursor) => void navigate({ search: { after: cursor ?? '' } })}
          empty={
            <>
              No program receives webhooks. A program registers its address with the mutation{' '}
              <Code>registerWebhookEndpoint</Code> and chooses events with{' '}
              <Code>createEventSubscription</Code>.
            </>
          }
        />
      </Section>
    </Page>
  )
}
