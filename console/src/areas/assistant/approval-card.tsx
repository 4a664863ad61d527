import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import {
  ApproveToolCallDocument,
  EditToolCallDocument,
  RejectToolCallDocument,
  type ToolCallsToApproveQuery,
} from './queries.generated.ts'
import { ToolData } from './tool-data.tsx'

type Call = NonNullable<ToolCallsToApproveQuery['assistToolCallsToApprove']>['nodes'][number]

/** A tool call that waits: what it would do, and the decision on exactly these arguments. */
export const ApprovalCard = ({ call }: { call: Call }) => (
  <Section
    title={readable(call.name)}
    description={
      <>
        Expires <Time value={call.expiresAt} />
        {call.requestedBy && ` · requested by a message of ${call.requestedBy}`}
        {call.editedBy && ` · changed by ${call.editedBy}`}
      </>
    }
    actions={
      <AppLink to="/assistant/$sessionId" params={{ sessionId: call.sessionId }}>
        The conversation
      </AppLink>
    }
  >
    <Stack gap="md">
      {call.isTainted && (
        <Alert color="yellow" title="Read the arguments with care">
          The assistant had read a text that others wrote, such as a document, before it requested
          this.
        </Alert>
      )}
      <ToolData data={call.arguments} />
      {call.effect && <Effect effect={call.effect as Record<string, unknown>} />}
      <Decision call={call} />
    </Stack>
  </Section>
)

/** What would change if the tool call were executed now. */
function Effect({ effect }: { effect: Record<string, unknown> }) {
  if (typeof effect['error'] === 'string') {
    return (
      <Alert color="red" title="The bank would reject this now">
        {effect['error']}
      </Alert>
    )
  }
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        What it would change
      </Text>
      <ToolData data={effect} />
    </div>
  )
}

function Decision({ call }: { call: Call }) {
  const { person } = useSession()
  const [step, setStep] = useState<'reject' | 'edit' | null>(null)
  const close = () => setStep(null)
  if (step === 'reject') return <RejectForm toolCallId={call.toolCallId} onClose={close} />
  if (step === 'edit') return <EditForm call={call} onClose={close} />
  const isParticipant = [call.requestedBy, call.editedBy].includes(person.username)
  return (
    <>
      {isParticipant && (
        <Text size="sm" c="dimmed">
          You requested or changed this, so another person decides on it.
        </Text>
      )}
      <Group justify="flex-end" align="flex-start">
        <Button variant="default" onClick={() => setStep('edit')}>
          Change the arguments
        </Button>
        <Button variant="default" onClick={() => setStep('reject')}>
          Reject
        </Button>
        {!isParticipant && (
          <CommandButton
            id={`approve:${call.toolCallId}`}
            mutation={ApproveToolCallDocument}
            variables={{
              input: { toolCallId: call.toolCallId, argumentsHash: call.argumentsHash },
            }}
          >
            Approve
          </CommandButton>
        )}
      </Group>
    </>
  )
}

const RejectForm = ({ toolCallId, onClose }: { toolCallId: string; onClose: () => void }) => (
  <CommandForm
    id={`reject:${toolCallId}`}
    mutation={RejectToolCallDocument}
    initialValues={{ reason: '' }}
    variables={({ reason }) => ({ toolCallId, reason: reason.trim() || null })}
    submitLabel="Reject"
    isDangerous
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <Textarea label="Reason" data-autofocus autosize {...form.getInputProps('reason')} />
    )}
  </CommandForm>
)

/** New arguments need a new approval, by somebody other than the person who changed them. */
function EditForm({ call, onClose }: { call: Call; onClose: () => void }) {
  const old = call.arguments as Record<string, string | number>
  const names = Object.keys(old)
  return (
    <CommandForm
      id={`edit:${call.toolCallId}`}
      mutation={EditToolCallDocument}
      initialValues={Object.fromEntries(names.map((name) => [name, String(old[name])]))}
      variables={(values) => ({
        toolCallId: call.toolCallId,
        arguments: Object.fromEntries(
          names.map((name) => [
            name,
            typeof old[name] === 'number' ? Number(values[name]) : values[name],
          ]),
        ),
      })}
      submitLabel="Save the arguments"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) =>
        names.map((name) => <TextInput key={name} label={name} {...form.getInputProps(name)} />)
      }
    </CommandForm>
  )
}
