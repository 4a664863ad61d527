import { useQuery } from '@apollo/client/react'
import { Button, Modal } from '@mantine/core'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { useMay } from '../../session/session.ts'
import { agentColumns } from './agent-columns.tsx'
import { CreateAgentForm } from './agent-form.tsx'
import { AgentsDocument } from './queries.generated.ts'
import { useTabState } from './tab-state.ts'

/** The agents, with their state and what they work on. */
export function AgentsTab() {
  const { after, dialog, change } = useTabState()
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(AgentsDocument, {
    variables: { after: after ?? null },
  })
  const close = () => change({ dialog: '' })
  return (
    <Section
      title="Agents"
      actions={
        may('routing:write') && (
          <Button size="xs" variant="light" onClick={() => change({ dialog: 'agent' })}>
            New agent
          </Button>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Agents"
        connection={(data ?? previousData)?.agents}
        columns={agentColumns}
        keyOf={({ agentId }) => agentId}
        after={after}
        onPage={(cursor) => change({ after: cursor })}
        empty="There are no agents yet. Create one who uses an active routing profile."
      />
      <Modal opened={dialog === 'agent'} onClose={close} title="New agent">
        <CreateAgentForm onClose={close} />
      </Modal>
    </Section>
  )
}
