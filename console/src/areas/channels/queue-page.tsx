import { useQuery } from '@apollo/client/react'
import { SegmentedControl, Stack } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { Id } from '../../parts/values.tsx'
import { agentColumns } from './agent-columns.tsx'
import { InteractionTable } from './interaction-table.tsx'
import { AllAgentsDocument, QueueDocument, type InteractionStatus } from './queries.generated.ts'

const statuses: readonly InteractionStatus[] = ['WAITING', 'ASSIGNED', 'COMPLETED', 'ABANDONED']

/** A queue: what waits in it, and the agents who serve it. */
export function QueuePage() {
  const { queueId } = useParams({ from: '/queues/$queueId' })
  useChangesOfType(['channels.*'])
  return (
    <Query query={QueueDocument} variables={{ queueId }}>
      {({ routingQueue: queue }) =>
        queue ? (
          <Page title={queue.name} lead={queue.description ?? <Id value={queueId} />}>
            <Stack gap="lg">
              <Work queueId={queueId} />
              <Agents queueId={queueId} />
            </Stack>
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

function Work({ queueId }: { queueId: string }) {
  const { status = 'WAITING', after } = useSearch({ from: '/queues/$queueId' })
  const navigate = useNavigate({ from: '/queues/$queueId' })
  return (
    <Section
      title="Contacts and tasks"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Status"
          className="scrolling-x"
          data={statuses.map((value) => ({ value, label: readable(value) }))}
          value={status}
          onChange={(value) => void navigate({ search: { status: value } })}
        />
      }
    >
      <InteractionTable
        filter={{ queueId }}
        status={status as InteractionStatus}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty={
          status === 'WAITING'
            ? 'Nothing waits in this queue.'
            : 'There is nothing with this status. Choose another status.'
        }
      />
    </Section>
  )
}

function Agents({ queueId }: { queueId: string }) {
  const { data } = useQuery(AllAgentsDocument)
  const serving = data?.agents?.nodes.filter(({ routingProfile }) =>
    routingProfile?.queues.some((entry) => entry.queueId === queueId),
  )
  return (
    <Section title="Who serves it">
      <ConnectionTable
        label="Agents"
        connection={serving && { nodes: serving, pageInfo: { hasNextPage: false } }}
        columns={agentColumns}
        keyOf={({ agentId }) => agentId}
        empty="Nobody serves this queue. Add it to a routing profile that agents use."
      />
    </Section>
  )
}
