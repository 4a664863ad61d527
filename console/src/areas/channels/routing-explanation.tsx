import { useQuery } from '@apollo/client/react'
import { Alert, Badge, List, Stack, Text, Title } from '@mantine/core'
import { AppLink } from '../../parts/links.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import {
  AllAgentsDocument,
  RoutingNamesDocument,
  type DecisionPartsFragment,
} from './queries.generated.ts'
import { sentenceOf, verdictsOf, type Verdict } from './routing-reasons.ts'

const colors: Readonly<Record<Verdict['outcome'], string>> = {
  chosen: 'teal',
  qualified: 'blue',
  skipped: 'orange',
  'not considered': 'gray',
}

const columns: readonly Column<Verdict>[] = [
  {
    title: 'Agent',
    cell: ({ agent: { agentId, name } }) => (
      <AppLink to="/agents/$agentId" params={{ agentId }}>
        {name}
      </AppLink>
    ),
  },
  {
    title: 'Result',
    cell: ({ outcome }) => (
      <Badge variant="light" color={colors[outcome]} className="state">
        {outcome}
      </Badge>
    ),
  },
  { title: 'Why', cell: ({ reason }) => reason },
]

interface RoutingExplanationProps {
  decision: DecisionPartsFragment
  channel?: string
  /** Whether the decision is of now, so that what the agents do now explains it. */
  isNow?: boolean
}

/** A routing decision in words: the steps, and for each agent why or why not. */
export function RoutingExplanation({ decision, channel, isNow = false }: RoutingExplanationProps) {
  const names = useQuery(RoutingNamesDocument).data
  const agents = useQuery(AllAgentsDocument).data?.agents
  const nameOf = (id: string) =>
    names?.routingProfiles?.nodes.find((each) => each.routingProfileId === id)?.name ??
    names?.routingQueues?.nodes.find((each) => each.queueId === id)?.name ??
    agents?.nodes.find((each) => each.agentId === id)?.name ??
    id
  const verdicts = agents && verdictsOf(decision, agents.nodes, channel)
  return (
    <Stack aria-live="polite">
      <Result decision={decision} nameOf={nameOf} />
      <div>
        <Title order={3} size="h5" mb="xs">
          Steps
        </Title>
        <List type="ordered" size="sm" spacing={4}>
          {decision.reasons.map(({ code, subjects }, index) => (
            <List.Item key={`${code} ${index}`}>{sentenceOf(code, subjects.map(nameOf))}</List.Item>
          ))}
        </List>
      </div>
      {isNow && (
        <div>
          <Title order={3} size="h5" mb="xs">
            Agents
          </Title>
          <ConnectionTable
            label="Agents"
            connection={verdicts && { nodes: verdicts, pageInfo: { hasNextPage: false } }}
            columns={columns}
            keyOf={({ agent }) => agent.agentId}
            empty="There are no agents. Create one in the contact center."
          />
          {agents?.pageInfo.hasNextPage && (
            <Text size="sm" c="dimmed">
              Only the first 100 agents are shown.
            </Text>
          )}
        </div>
      )}
    </Stack>
  )
}

function Result({
  decision: { agentId, queueId, routingProfileId, priority, reevaluateAt },
  nameOf,
}: {
  decision: DecisionPartsFragment
  nameOf: (id: string) => string
}) {
  if (agentId) {
    return (
      <Alert color="teal" title={`${nameOf(agentId)} gets the contact`}>
        From the queue {nameOf(queueId!)}, profile {nameOf(routingProfileId!)}, priority {priority}.
      </Alert>
    )
  }
  if (!queueId) {
    return (
      <Alert color="red" title="The contact cannot be routed">
        No routing profile fits. Activate a profile that has a queue for this medium.
      </Alert>
    )
  }
  return (
    <Alert color="yellow" title={`The contact waits in the queue ${nameOf(queueId)}`}>
      {reevaluateAt ? (
        <>
          It is decided again on <Time value={reevaluateAt} />, or when an agent becomes free.
        </>
      ) : (
        'It is assigned as soon as an agent becomes free.'
      )}
    </Alert>
  )
}
