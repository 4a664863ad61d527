import { useQuery } from '@apollo/client/react'
import { Button, Checkbox, Modal, Select, TagsInput, TextInput } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { useMay } from '../../session/session.ts'
import { agentColumns } from './agent-columns.tsx'
import { AgentsDocument, CreateAgentDocument, RoutingNamesDocument } from './queries.generated.ts'
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
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <ConnectionTable
        label="Agents"
        connection={(data ?? previousData)?.agents}
        columns={agentColumns}
        keyOf={({ agentId }) => agentId}
        after={after}
        onPage={(cursor) => change({ after: cursor })}
        empty="There are no agents yet. Create one who uses an active routing profile."
      />
      <Modal opened={dialog === 'agent'} onClose={close} title="New agent">
        <AgentForm onClose={close} />
      </Modal>
    </Section>
  )
}

const AgentForm = ({ onClose }: { onClose: () => void }) => (
  <Query query={RoutingNamesDocument} variables={{}}>
    {({ routingProfiles }) => (
      <CommandForm
        id="agent:new"
        mutation={CreateAgentDocument}
        initialValues={{
          name: '',
          routingProfileId: routingProfiles?.nodes[0]?.routingProfileId ?? '',
          skills: [] as string[],
          languages: [] as string[],
          isAvailable: false,
        }}
        validate={({ name, routingProfileId }) => ({
          ...(!name.trim() && { name: 'Required.' }),
          ...(!routingProfileId && { routingProfileId: 'Which profile?' }),
        })}
        variables={({ name, routingProfileId, skills, languages, isAvailable }) => ({
          input: {
            name: name.trim(),
            routingProfileId,
            skills,
            languages,
            status: isAvailable ? 'available' : 'offline',
          },
        })}
        submitLabel="Create the agent"
        onCancel={onClose}
        onDone={onClose}
      >
        {(form) => (
          <>
            <TextInput label="Name" required {...form.getInputProps('name')} />
            <Select
              label="Routing profile"
              required
              allowDeselect={false}
              data={(routingProfiles?.nodes ?? []).map(({ routingProfileId, name }) => ({
                value: routingProfileId,
                label: name,
              }))}
              {...form.getInputProps('routingProfileId')}
            />
            <TagsInput label="Skills" {...form.getInputProps('skills')} />
            <TagsInput label="Languages" placeholder="en" {...form.getInputProps('languages')} />
            <Checkbox
              label="Available at once"
              {...form.getInputProps('isAvailable', { type: 'checkbox' })}
            />
          </>
        )}
      </CommandForm>
    )}
  </Query>
)
