import { useQuery } from '@apollo/client/react'
import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  AllAgentsDocument,
  CreateQueueDocument,
  QueuesDocument,
  QueueWorkDocument,
  type QueuesQuery,
} from './queries.generated.ts'
import { useTabState } from './tab-state.ts'

type Queue = NonNullable<QueuesQuery['routingQueues']>['nodes'][number]

const columns: readonly Column<Queue>[] = [
  {
    title: 'Queue',
    cell: ({ queueId, name }) => (
      <AppLink to="/queues/$queueId" params={{ queueId }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'What for', cell: ({ description }) => description ?? <Missing /> },
  { title: 'Waiting', isNumeric: true, cell: (queue) => <WorkCount queue={queue} of="WAITING" /> },
  { title: 'Longest since', cell: (queue) => <FirstWait queue={queue} /> },
  { title: 'At work', isNumeric: true, cell: (queue) => <WorkCount queue={queue} of="ASSIGNED" /> },
  { title: 'Agents available', isNumeric: true, cell: (queue) => <Staffing queue={queue} /> },
]

const useWork = ({ queueId }: Queue) => useQuery(QueueWorkDocument, { variables: { queueId } }).data

function WorkCount({ queue, of }: { queue: Queue; of: 'WAITING' | 'ASSIGNED' }) {
  const list = useWork(queue)?.[of]
  return list ? `${list.nodes.length}${list.pageInfo.hasNextPage ? '+' : ''}` : <Missing />
}

/** The interactions are listed in the order in which they arrived; a requeued one waits anew. */
function FirstWait({ queue }: { queue: Queue }) {
  const waiting = useWork(queue)?.WAITING?.nodes ?? []
  const since = waiting.flatMap((each) => each.waitingSince ?? [])
  return <Time value={since.toSorted((a, b) => (a < b ? -1 : 1))[0]} />
}

function Staffing({ queue: { queueId } }: { queue: Queue }) {
  const agents = useQuery(AllAgentsDocument).data?.agents?.nodes
  if (!agents) return <Missing />
  const serving = agents.filter(({ routingProfile }) =>
    routingProfile?.queues.some((entry) => entry.queueId === queueId),
  )
  const available = serving.filter(({ status }) => status === 'AVAILABLE')
  return `${available.length} of ${serving.length}`
}

/** The queues, with what waits in each and how many agents are there. */
export function QueuesTab() {
  const { after, dialog, change } = useTabState()
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(QueuesDocument, {
    variables: { after: after ?? null },
  })
  const close = () => change({ dialog: '' })
  return (
    <Section
      title="Queues"
      actions={
        may('routing:write') && (
          <Button size="xs" variant="light" onClick={() => change({ dialog: 'queue' })}>
            New queue
          </Button>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Queues"
        connection={(data ?? previousData)?.routingQueues}
        columns={columns}
        keyOf={({ queueId }) => queueId}
        after={after}
        onPage={(cursor) => change({ after: cursor })}
        empty="There is no queue yet. Create one, and let a routing profile serve it."
      />
      <Modal opened={dialog === 'queue'} onClose={close} title="New queue">
        <QueueForm onClose={close} />
      </Modal>
    </Section>
  )
}

const QueueForm = ({ onClose }: { onClose: () => void }) => (
  <CommandForm
    id="queue:new"
    mutation={CreateQueueDocument}
    initialValues={{ name: '', description: '' }}
    validate={({ name }) => (name.trim() ? {} : { name: 'Required.' })}
    variables={({ name, description }) => ({
      input: {
        name: name.trim(),
        ...(description.trim() && { description: description.trim() }),
      },
    })}
    submitLabel="Create the queue"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Textarea label="What waits here" autosize {...form.getInputProps('description')} />
      </>
    )}
  </CommandForm>
)
