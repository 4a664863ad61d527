import { useQuery } from '@apollo/client/react'
import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import {
  CreateAgentDocument,
  RoutingNamesDocument,
  UpdateAgentDocument,
  type AgentPartsFragment,
} from './queries.generated.ts'

interface Values {
  name: string
  routingProfileId: string
  skills: string[]
  languages: string[]
}

const errorsOf = ({ name, routingProfileId }: Values) => ({
  ...(!name.trim() && { name: 'Required.' }),
  ...(!routingProfileId && { routingProfileId: 'Which profile?' }),
})

const fieldOfCode = { ROUTING_PROFILE_NOT_FOUND: 'routingProfileId' }

/** Creates an agent, offline or available at once. */
export const CreateAgentForm = ({ onClose }: { onClose: () => void }) => (
  <CommandForm
    id="agent:new"
    mutation={CreateAgentDocument}
    initialValues={{
      name: '',
      routingProfileId: '',
      skills: [] as string[],
      languages: [] as string[],
      isAvailable: false,
    }}
    validate={errorsOf}
    variables={({ name, isAvailable, ...values }) => ({
      input: { ...values, name: name.trim(), status: isAvailable ? 'available' : 'offline' },
    })}
    fieldOfCode={fieldOfCode}
    submitLabel="Create the agent"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <>
        <AgentFields form={form} />
        <Checkbox
          label="Available at once"
          {...form.getInputProps('isAvailable', { type: 'checkbox' })}
        />
      </>
    )}
  </CommandForm>
)

/** Changes what work an agent gets. */
export const UpdateAgentForm = ({
  agent: { agentId, name, routingProfileId, skills, languages },
  onClose,
}: {
  agent: AgentPartsFragment
  onClose: () => void
}) => (
  <CommandForm
    id={`agent:${agentId}`}
    mutation={UpdateAgentDocument}
    initialValues={
      { name, routingProfileId, skills: [...skills], languages: [...languages] } as Values
    }
    validate={errorsOf}
    variables={(values) => ({ input: { ...values, name: values.name.trim(), agentId } })}
    fieldOfCode={fieldOfCode}
    submitLabel="Save"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => <AgentFields form={form} />}
  </CommandForm>
)

function AgentFields({ form }: { form: { getInputProps: (name: keyof Values) => object } }) {
  const { data } = useQuery(RoutingNamesDocument)
  return (
    <>
      <TextInput label="Name" required {...form.getInputProps('name')} />
      <Select
        label="Routing profile"
        required
        allowDeselect={false}
        data={(data?.routingProfiles?.nodes ?? [])
          .filter(({ status }) => status !== 'ARCHIVED')
          .map(({ routingProfileId, name }) => ({ value: routingProfileId, label: name }))}
        {...form.getInputProps('routingProfileId')}
      />
      <TagsInput label="Skills" {...form.getInputProps('skills')} />
      <TagsInput label="Languages" placeholder="en" {...form.getInputProps('languages')} />
    </>
  )
}
