import { SegmentedControl, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { AgentSelect } from './agent-select.tsx'
import { mediumOptions } from './media.ts'
import { useOwnAgent } from './own-agent.tsx'
import {
  LogInteractionDocument,
  RouteInteractionDocument,
  type InteractionChannel,
  type InteractionDirection,
} from './queries.generated.ts'

const ways = [
  { value: 'route', label: 'Route it to an agent' },
  { value: 'log', label: 'Log one that is over' },
]

const directions = [
  { value: 'INBOUND', label: 'From the customer' },
  { value: 'OUTBOUND', label: 'To the customer' },
]

interface Values {
  subject: string
  channel: InteractionChannel
  direction: InteractionDirection
  partyId: string
  caseId: string
  language: string
  segment: string
  skills: string[]
  agentId: string
  notes: string
}

function inputOf({ subject, channel, direction, skills, ...texts }: Values) {
  const { partyId, caseId, language, segment } = texts
  const entered = Object.entries({ partyId, caseId, language, segment }).filter(
    ([, text]) => text.trim() !== '',
  )
  return {
    subject: subject.trim(),
    channel,
    direction,
    ...(skills.length > 0 && { skills }),
    ...Object.fromEntries(entered.map(([name, text]) => [name, text.trim()])),
  }
}

/** A contact that arrives now and is routed, or one that is over and is recorded. */
export function NewContactPage() {
  const { party = '', case: about = '' } = useSearch({ from: '/interactions/new' })
  const [way, setWay] = useState('route')
  const [own = ''] = useOwnAgent()
  const initialValues: Values = {
    subject: '',
    channel: 'VOICE',
    direction: 'INBOUND',
    partyId: party,
    caseId: about,
    language: '',
    segment: '',
    skills: [],
    agentId: own,
    notes: '',
  }
  return (
    <Page title="New contact" lead="A call, chat, message or task.">
      <Section
        title="Contact"
        actions={
          <SegmentedControl aria-label="What to do" data={ways} value={way} onChange={setWay} />
        }
      >
        {way === 'route' ? (
          <RouteForm initialValues={initialValues} />
        ) : (
          <LogForm initialValues={initialValues} />
        )}
      </Section>
    </Page>
  )
}

const codes = { PARTY_NOT_FOUND: 'partyId', CASE_NOT_FOUND: 'caseId', CHANNEL_CLOSED: 'channel' }
const errorsOf = ({ subject }: Values) => (subject.trim() ? {} : { subject: 'What is it about?' })

function useLeave() {
  const navigate = useNavigate()
  return {
    cancel: () => void navigate({ to: '/contact-center' }),
    show: (interactionId: string) =>
      void navigate({ to: '/interactions/$interactionId', params: { interactionId } }),
  }
}

function RouteForm({ initialValues }: { initialValues: Values }) {
  const { cancel, show } = useLeave()
  return (
    <CommandForm
      id="contact:route"
      mutation={RouteInteractionDocument}
      initialValues={initialValues}
      validate={errorsOf}
      variables={(values) => ({ input: inputOf(values) })}
      fieldOfCode={codes}
      submitLabel="Route"
      onCancel={cancel}
      onDone={({ routeInteraction: { interactionId } }) => show(interactionId)}
    >
      {(form) => (
        <Stack maw={640}>
          <ContactFields form={form} />
          <TagsInput
            label="Skills that it needs"
            description="Press Enter after each."
            {...form.getInputProps('skills')}
          />
        </Stack>
      )}
    </CommandForm>
  )
}

function LogForm({ initialValues }: { initialValues: Values }) {
  const { cancel, show } = useLeave()
  return (
    <CommandForm
      id="contact:log"
      mutation={LogInteractionDocument}
      initialValues={initialValues}
      validate={errorsOf}
      variables={(values) => ({
        input: {
          ...inputOf(values),
          ...(values.agentId && { agentId: values.agentId }),
          ...(values.notes.trim() && { notes: values.notes.trim() }),
        },
      })}
      fieldOfCode={{ ...codes, AGENT_NOT_FOUND: 'agentId' }}
      submitLabel="Log the contact"
      onCancel={cancel}
      onDone={({ logInteraction: { interactionId } }) => show(interactionId)}
    >
      {(form) => (
        <Stack maw={640}>
          <ContactFields form={form} />
          <AgentSelect
            label="Agent"
            value={form.values.agentId || null}
            error={form.errors['agentId']}
            onChange={(value) => form.setFieldValue('agentId', value ?? '')}
          />
          <Textarea
            label="Notes"
            description="Only the bank reads them."
            autosize
            {...form.getInputProps('notes')}
          />
        </Stack>
      )}
    </CommandForm>
  )
}

const ContactFields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <TextInput label="Subject" required {...form.getInputProps('subject')} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Medium"
        allowDeselect={false}
        data={mediumOptions}
        {...form.getInputProps('channel')}
      />
      <Select
        label="Direction"
        allowDeselect={false}
        data={directions}
        {...form.getInputProps('direction')}
      />
      <TextInput label="Party" placeholder="pty_…" {...form.getInputProps('partyId')} />
      <TextInput label="Case" placeholder="case_…" {...form.getInputProps('caseId')} />
      <TextInput label="Language" placeholder="en" {...form.getInputProps('language')} />
      <TextInput label="Segment" {...form.getInputProps('segment')} />
    </SimpleGrid>
  </>
)
