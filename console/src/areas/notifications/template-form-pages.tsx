import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ContentFields } from './content-fields.tsx'
import { categories, channels } from './options.ts'
import {
  CreateNotificationTemplateDocument,
  UpdateNotificationTemplateDocument,
  type NotificationCategory,
  type NotificationChannel,
} from './queries.generated.ts'
import { TemplatePreview } from './template-preview.tsx'
import { contentInput, contentOf, type ContentValues, type Template } from './template-values.ts'

interface NewValues extends ContentValues {
  templateCode: string
  channel: NotificationChannel
  language: string
  category: NotificationCategory
}

const initialValues: NewValues = {
  templateCode: '',
  channel: 'SECURE_MESSAGE',
  language: 'en',
  category: 'SERVICE',
  subject: '',
  body: '',
  variables: [],
}

const errorsOf = ({ body }: ContentValues) => (body.trim() ? {} : { body: 'Required.' })

/** `/input/variables/0/name` → `variables.0.name`, `/input/body` → `body`. */
const fieldOf = (pointer: string) => pointer.replace(/^\/(input\/)?/, '').replaceAll('/', '.')

/** Creates a template as a draft, with a preview beside the form. */
export function NewTemplatePage() {
  const navigate = useNavigate()
  return (
    <Page title="New template" lead="It starts as a draft. A second person approves it.">
      <CommandForm
        id="notification-template"
        mutation={CreateNotificationTemplateDocument}
        initialValues={initialValues}
        validate={(values) => ({
          ...errorsOf(values),
          ...(!values.templateCode.trim() && { templateCode: 'Required.' }),
        })}
        variables={({ templateCode, channel, language, category, ...content }) => ({
          input: {
            templateCode: templateCode.trim(),
            channel,
            language: language.trim(),
            category,
            ...contentInput(channel, content),
          },
        })}
        fieldOf={fieldOf}
        submitLabel="Create the draft"
        onCancel={() => void navigate({ to: '/notification-templates' })}
        onDone={({ createNotificationTemplate: { templateId } }) =>
          void navigate({ to: '/notification-templates/$templateId', params: { templateId } })
        }
      >
        {(form) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Section title="Template">
              <Stack>
                <IdentityFields form={form} />
                <ContentFields
                  form={form as unknown as UseFormReturnType<ContentValues>}
                  channel={form.values.channel}
                />
              </Stack>
            </Section>
            <TemplatePreview channel={form.values.channel} content={form.values} />
          </SimpleGrid>
        )}
      </CommandForm>
    </Page>
  )
}

const IdentityFields = ({ form }: { form: UseFormReturnType<NewValues> }) => (
  <>
    <TextInput
      label="Code"
      description="Notifications refer to the template by this code."
      required
      {...form.getInputProps('templateCode')}
    />
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Select
        label="Channel"
        allowDeselect={false}
        data={channels}
        {...form.getInputProps('channel')}
      />
      <TextInput label="Language" required {...form.getInputProps('language')} />
      <Select
        label="Category"
        allowDeselect={false}
        data={categories}
        {...form.getInputProps('category')}
      />
    </SimpleGrid>
  </>
)

/** Changes the content of a draft, with a preview beside the form. */
export function EditTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const { templateId, channel } = template
  return (
    <CommandForm
      id={`notification-template:${templateId}`}
      mutation={UpdateNotificationTemplateDocument}
      initialValues={contentOf(template)}
      validate={errorsOf}
      variables={(content) => ({ input: { templateId, ...contentInput(channel, content) } })}
      fieldOf={fieldOf}
      submitLabel="Save the draft"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Section title="Wording">
            <ContentFields form={form} channel={channel} />
          </Section>
          <TemplatePreview channel={channel} content={form.values} />
        </SimpleGrid>
      )}
    </CommandForm>
  )
}
