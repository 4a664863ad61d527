import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { variableTypes } from './options.ts'
import type { NotificationChannel } from './queries.generated.ts'
import { hasSubject, newVariable, type ContentValues } from './template-values.ts'

interface ContentFieldsProps {
  form: UseFormReturnType<ContentValues>
  channel: NotificationChannel
}

/** The wording of a template and the variables that it uses. */
export const ContentFields = ({ form, channel }: ContentFieldsProps) => (
  <Stack>
    {hasSubject(channel) && (
      <TextInput
        label="Subject"
        required={channel === 'EMAIL'}
        {...form.getInputProps('subject')}
      />
    )}
    <Textarea
      label="Body"
      description={
        channel === 'EMAIL'
          ? 'HTML. {{ name }} inserts a variable.'
          : 'Plain text. {{ name }} inserts a variable.'
      }
      required
      autosize
      minRows={6}
      {...form.getInputProps('body')}
    />
    <Fieldset legend="Variables">
      <Stack>
        {form.values.variables.map((_, index) => (
          <VariableFields key={index} form={form} index={index} />
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => form.insertListItem('variables', newVariable)}
          >
            Add a variable
          </Button>
        </div>
      </Stack>
    </Fieldset>
  </Stack>
)

function VariableFields({
  form,
  index,
}: {
  form: UseFormReturnType<ContentValues>
  index: number
}) {
  const path = `variables.${index}`
  return (
    <Stack gap="xs" className="list-item">
      <Group align="flex-end" grow>
        <TextInput label="Name" required {...form.getInputProps(`${path}.name`)} />
        <Select
          label="Type"
          allowDeselect={false}
          data={variableTypes}
          {...form.getInputProps(`${path}.type`)}
        />
      </Group>
      <Group>
        <Checkbox
          label="Required"
          {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
        />
        <Checkbox
          label="Personal data"
          {...form.getInputProps(`${path}.pii`, { type: 'checkbox' })}
        />
        <Button size="xs" variant="subtle" onClick={() => form.removeListItem('variables', index)}>
          Remove the variable
        </Button>
      </Group>
    </Stack>
  )
}
