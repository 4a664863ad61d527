import { Button, SegmentedControl, Select, Stack } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Query } from '../../parts/query.tsx'
import { useOwnAgent } from '../channels/own-agent.tsx'
import type { CaseFormProps } from './case-forms.tsx'
import { AssignCaseDocument, AssignmentChoicesDocument } from './queries.generated.ts'

const ways = [
  { value: 'agent', label: 'To an agent' },
  { value: 'routing', label: 'Find an agent' },
]

/** Assigns a case to an agent, or lets routing find one. */
export function AssignForm({ caseId, onClose }: CaseFormProps) {
  const [own] = useOwnAgent()
  return (
    <Query query={AssignmentChoicesDocument} variables={{}}>
      {({ agents, routingProfiles }) => (
        <CommandForm
          id={`assign:${caseId}`}
          mutation={AssignCaseDocument}
          initialValues={{ way: 'agent', agentId: '', routingProfileId: '' }}
          validate={({ way, agentId, routingProfileId }) => ({
            ...(way === 'agent' && !agentId && { agentId: 'Which agent?' }),
            ...(way === 'routing' && !routingProfileId && { routingProfileId: 'Which profile?' }),
          })}
          variables={({ way, agentId, routingProfileId }) => ({
            caseId,
            ...(way === 'agent' ? { agentId } : { routingProfileId }),
          })}
          submitLabel="Assign"
          onCancel={onClose}
          onDone={onClose}
        >
          {(form) => (
            <Stack>
              <SegmentedControl aria-label="How" data={ways} {...form.getInputProps('way')} />
              {form.values.way === 'agent' ? (
                <>
                  <Select
                    label="Agent"
                    required
                    searchable
                    data={(agents?.nodes ?? []).map(({ agentId, name, status }) => ({
                      value: agentId,
                      label: `${name} · ${readable(status).toLowerCase()}`,
                    }))}
                    {...form.getInputProps('agentId')}
                  />
                  {own && form.values.agentId !== own && (
                    <Button
                      variant="subtle"
                      size="xs"
                      onClick={() => form.setFieldValue('agentId', own)}
                    >
                      To me
                    </Button>
                  )}
                </>
              ) : (
                <Select
                  label="Routing profile"
                  description="The first agent of it who is free gets the case."
                  required
                  data={(routingProfiles?.nodes ?? []).map(({ routingProfileId, name }) => ({
                    value: routingProfileId,
                    label: name,
                  }))}
                  {...form.getInputProps('routingProfileId')}
                />
              )}
            </Stack>
          )}
        </CommandForm>
      )}
    </Query>
  )
}
