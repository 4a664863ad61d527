import { useQuery } from '@apollo/client/react'
import { Stack } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChangesOfType } from '../../graph/events.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { Id } from '../../parts/values.tsx'
import { agentColumns } from './agent-columns.tsx'
import { AllAgentsDocument, QueueDocument } from './queries.generated.ts'
import { WorkSection } from './work-section.tsx'

/** A queue: what waits in it, and the agents who serve it. */
export function QueuePage() {
  const { queueId } = useParams({ from: '/queues/$queueId' })
  useChangesOfType(['channels.*'])
  return (
    <Query query={QueueDocument} variables={{ queueId }}>
      {({ routingQueue: queue }) =>
        queue ? (
          <Page
            subject={`queue/${queueId}`}
            title={queue.name}
            lead={queue.description ?? <Id value={queueId} />}
          >
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
  const search = useSearch({ from: '/queues/$queueId' })
  const navigate = useNavigate({ from: '/queues/$queueId' })
  return (
    <WorkSection
      filter={{ queueId }}
      first="WAITING"
      emptyOf={{
        WAITING: 'Nothing waits in this queue.',
        ASSIGNED: 'No agent works on anything from this queue.',
        COMPLETED: 'Nothing from this queue is completed yet.',
        ABANDONED: 'Nothing in this queue was abandoned.',
      }}
      search={search}
      onSearch={(next) => void navigate({ search: next })}
    />
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
