import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { useSession } from '../../session/session.ts'
import { caseTypes, selfServiceTypes } from './case-types.ts'
import { OpenCaseDocument, type CasePriority, type CaseType } from './queries.generated.ts'

const priorities: readonly CasePriority[] = ['LOW', 'NORMAL', 'HIGH', 'URGENT']
const option = (value: string) => ({ value, label: readable(value) })

interface Values {
  caseType: CaseType
  title: string
  description: string
  partyId: string
  subject: string
  priority: CasePriority
}

/** Opens a case: employees for a customer, customers for themselves. */
export function NewCasePage() {
  const { party, subject } = useSearch({ from: '/cases/new' })
  const { partyId } = useSession().person
  const navigate = useNavigate()
  const isEmployee = partyId === null
  const initialValues: Values = {
    caseType: 'SERVICING',
    title: '',
    description: '',
    partyId: party ?? '',
    subject: subject ?? '',
    priority: 'NORMAL',
  }
  const inputOf = ({ caseType, title, ...values }: Values) => {
    const owner = partyId ?? values.partyId.trim()
    return {
      caseType,
      title: title.trim(),
      ...(values.description.trim() && { description: values.description.trim() }),
      ...(owner && { partyId: owner }),
      ...(values.subject.trim() && { subjects: [values.subject.trim()] }),
      ...(isEmployee && { priority: values.priority }),
    }
  }
  return (
    <Page
      title={isEmployee ? 'Open a case' : 'New request'}
      lead="The time to resolve it depends on its type, and starts at once."
    >
      <Section title={isEmployee ? 'Case' : 'Request'}>
        <CommandForm
          id={`case:${party ?? ''}:${subject ?? ''}`}
          mutation={OpenCaseDocument}
          initialValues={initialValues}
          validate={({ title }) => (title.trim() ? {} : { title: 'Required.' })}
          variables={(values) => ({ input: inputOf(values) })}
          fieldOf={(pointer) =>
            pointer.includes('subjects') ? 'subject' : pointer.split('/').at(-1)
          }
          fieldOfCode={{ PARTY_NOT_FOUND: 'partyId' }}
          submitLabel={isEmployee ? 'Open the case' : 'Send the request'}
          onCancel={() => void navigate({ to: '/cases' })}
          onDone={({ openCase: { caseId } }) =>
            void navigate({ to: '/cases/$caseId', params: { caseId } })
          }
        >
          {(form) => <CaseFields form={form} isEmployee={isEmployee} />}
        </CommandForm>
      </Section>
    </Page>
  )
}

const CaseFields = ({
  form,
  isEmployee,
}: {
  form: UseFormReturnType<Values>
  isEmployee: boolean
}) => (
  <Stack maw={560}>
    <Select
      label="Type"
      allowDeselect={false}
      data={(isEmployee ? caseTypes : selfServiceTypes).map(option)}
      {...form.getInputProps('caseType')}
    />
    <TextInput label="Title" required {...form.getInputProps('title')} />
    <Textarea
      label="What it is about"
      autosize
      minRows={3}
      {...form.getInputProps('description')}
    />
    {isEmployee && (
      <>
        <TextInput
          label="Party"
          description="The ID of the customer; empty if it concerns none."
          placeholder="pty_…"
          {...form.getInputProps('partyId')}
        />
        <TextInput
          label="Record"
          placeholder="arrangement/arr_…"
          {...form.getInputProps('subject')}
        />
        <Select
          label="Priority"
          allowDeselect={false}
          data={priorities.map(option)}
          {...form.getInputProps('priority')}
        />
      </>
    )}
  </Stack>
)
