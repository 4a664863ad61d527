import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useSession } from '../../session/session.ts'
import { ConsentSection } from './consent-section.tsx'
import { AssistantsDocument, CreateAssistSessionDocument } from './queries.generated.ts'
import type { Assistant } from './records.ts'

interface Values {
  assistantType: string
  partyId: string
  caseId: string
}

/** Opens a session; employees choose the assistant and whom it is about. */
export const NewConversation = () => (
  <Section title="New conversation">
    <Query query={AssistantsDocument} variables={{}}>
      {({ assistants }) =>
        assistants && assistants.length > 0 ? (
          <BeginForm assistants={assistants} />
        ) : (
          <Text c="dimmed">No assistant is available. Operations can publish one.</Text>
        )
      }
    </Query>
  </Section>
)

function BeginForm({ assistants }: { assistants: readonly Assistant[] }) {
  const { partyId } = useSession().person
  const { party = '' } = useSearch({ from: '/assistant' })
  const navigate = useNavigate()
  const [first] = assistants.toSorted(byUse)
  return (
    <CommandForm
      id="assist:begin"
      mutation={CreateAssistSessionDocument}
      initialValues={{ assistantType: first!.assistantType, partyId: party, caseId: '' } as Values}
      variables={({ assistantType, partyId: about, caseId }) => ({
        input: {
          assistantType,
          channel: 'console',
          ...subjectOf(about, caseId),
        },
      })}
      fieldOfCode={{ PARTY_NOT_FOUND: 'partyId', CASE_NOT_FOUND: 'caseId' }}
      submitLabel="Begin"
      onDone={({ createAssistSession: { sessionId } }) =>
        void navigate({ to: '/assistant/$sessionId', params: { sessionId } })
      }
    >
      {(form) => (
        <Stack>
          <Fields form={form} assistants={assistants} isCustomer={partyId !== null} />
          <ConsentSection
            assistant={assistants.find((one) => one.assistantType === form.values.assistantType)}
            partyId={partyId ?? form.values.partyId}
            isOwn={partyId !== null}
          />
        </Stack>
      )}
    </CommandForm>
  )
}

/** The assistant that serves customers is the one most people want. */
const byUse = (one: Assistant, other: Assistant) =>
  other.tools.length - one.tools.length || one.assistantType.localeCompare(other.assistantType)

function subjectOf(partyId: string, caseId: string) {
  if (caseId.trim()) return { subject: { caseId: caseId.trim() } }
  return partyId.trim() ? { subject: { partyId: partyId.trim() } } : {}
}

interface FieldsProps {
  form: UseFormReturnType<Values>
  assistants: readonly Assistant[]
  isCustomer: boolean
}

function Fields({ form, assistants, isCustomer }: FieldsProps) {
  if (isCustomer && assistants.length === 1) {
    return <Text>The assistant can see what you see here: your accounts, loans and requests.</Text>
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: isCustomer ? 1 : 3 }}>
      <Select
        label="Assistant"
        allowDeselect={false}
        data={assistants.map(({ assistantType }) => ({
          value: assistantType,
          label: readable(assistantType),
        }))}
        {...form.getInputProps('assistantType')}
      />
      {!isCustomer && (
        <>
          <TextInput
            label="About the party"
            placeholder="pty_…"
            description="It then sees only data of this party."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            {...form.getInputProps('partyId')}
          />
          <TextInput
            label="Or about the case"
            placeholder="case_…"
            {...form.getInputProps('caseId')}
          />
        </>
      )}
    </SimpleGrid>
  )
}
