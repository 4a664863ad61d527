import { Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { channels } from './options.ts'
import {
  ActiveTemplatesDocument,
  SendNotificationDocument,
  type ActiveTemplatesQuery,
  type NotificationChannel,
} from './queries.generated.ts'

type ActiveTemplate = NonNullable<ActiveTemplatesQuery['notificationTemplates']>['nodes'][number]
type Variable = ActiveTemplate['variables'][number]

interface Values {
  partyId: string
  templateCode: string
  channel: NotificationChannel
  /** The values of the variables by name, as they were typed. */
  personalization: Record<string, string>
}

/** Sends a notification to a customer from an active template. */
export const NewNotificationPage = () => (
  <Page title="Send a notification" lead="The wording comes from an active template.">
    <Section title="Notification">
      <Query query={ActiveTemplatesDocument} variables={{}}>
        {({ notificationTemplates }) => <SendForm templates={notificationTemplates?.nodes ?? []} />}
      </Query>
    </Section>
  </Page>
)

function SendForm({ templates }: { templates: readonly ActiveTemplate[] }) {
  const { party, template, channel } = useSearch({ from: '/notifications/new' })
  const navigate = useNavigate()
  const initialValues: Values = {
    partyId: party ?? '',
    templateCode: template ?? '',
    channel: (channel as NotificationChannel | undefined) ?? 'SECURE_MESSAGE',
    personalization: {},
  }
  return (
    <CommandForm
      id={`notification:${party ?? ''}:${template ?? ''}`}
      mutation={SendNotificationDocument}
      initialValues={initialValues}
      validate={({ partyId, templateCode }) => ({
        ...(!partyId.trim() && { partyId: 'Required.' }),
        ...(!templateCode && { templateCode: 'Required.' }),
      })}
      variables={({ partyId, personalization, ...values }) => ({
        input: {
          ...values,
          partyId: partyId.trim(),
          personalization: typedValues(variablesOf(templates, values), personalization),
        },
      })}
      fieldOf={(pointer) => pointer.replace(/^\/(input\/)?/, '').replaceAll('/', '.')}
      fieldOfCode={{ PARTY_NOT_FOUND: 'partyId', TEMPLATE_NOT_FOUND: 'templateCode' }}
      submitLabel="Send"
      onCancel={() => void navigate({ to: '/notifications' })}
      onDone={({ createNotification: { notificationId } }) =>
        void navigate({ to: '/notifications/$notificationId', params: { notificationId } })
      }
    >
      {(form) => <Fields form={form} templates={templates} />}
    </CommandForm>
  )
}

interface FieldsProps {
  form: UseFormReturnType<Values>
  templates: readonly ActiveTemplate[]
}

const Fields = ({ form, templates }: FieldsProps) => (
  <Stack maw={560}>
    <TextInput label="Party ID" required placeholder="pty_…" {...form.getInputProps('partyId')} />
    <Select
      label="Channel"
      allowDeselect={false}
      data={channels}
      {...form.getInputProps('channel')}
    />
    <Select
      label="Template"
      required
      searchable
      nothingFoundMessage="This channel has no such active template."
      data={codesOf(templates, form.values.channel)}
      {...form.getInputProps('templateCode')}
    />
    {variablesOf(templates, form.values).map(({ name, required }) => (
      <TextInput
        key={name}
        label={name}
        required={required}
        {...form.getInputProps(`personalization.${name}`)}
      />
    ))}
  </Stack>
)

function codesOf(templates: readonly ActiveTemplate[], channel: NotificationChannel): string[] {
  const own = templates.filter((template) => template.channel === channel)
  return [...new Set(own.map(({ templateCode }) => templateCode))]
}

/** Returns the variables of a template in all its languages: the bank chooses the language. */
function variablesOf(
  templates: readonly ActiveTemplate[],
  { templateCode, channel }: Pick<Values, 'templateCode' | 'channel'>,
): Variable[] {
  const versions = templates.filter(
    (each) => each.templateCode === templateCode && each.channel === channel,
  )
  const all = versions.flatMap(({ variables }) => variables)
  return [...new Map(all.map((variable) => [variable.name, variable])).values()]
}

/** Returns the values with the types of their variables. A text that is not of the type is sent as it is. */
function typedValues(variables: readonly Variable[], texts: Readonly<Record<string, string>>) {
  const values = variables.flatMap(({ name, type }) => {
    const text = texts[name]?.trim() ?? ''
    return text === '' ? [] : [[name, typedValue(type, text)] as const]
  })
  return Object.fromEntries(values)
}

function typedValue(type: Variable['type'], text: string): string | number | boolean {
  if (type === 'NUMBER' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'BOOLEAN' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
