import { Select, TagsInput, TextInput } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import './channels.css'
import { HoursFields } from './hours-fields.tsx'
import { emptyHours, fieldOfPath, hoursFrom, hoursInput, hoursErrors } from './hours.ts'
import { mediumOptions } from './media.ts'
import {
  CreateChannelDocument,
  UpdateChannelDocument,
  type ChannelsQuery,
  type InteractionChannel,
} from './queries.generated.ts'

export type Channel = NonNullable<ChannelsQuery['channels']>['nodes'][number]

const errorsOf = (values: { name: string; hours: typeof emptyHours }) => ({
  ...(!values.name.trim() && { name: 'Required.' }),
  ...hoursErrors(values.hours),
})

/** Registers a way to reach the bank. */
export const CreateChannelForm = ({ onClose }: { onClose: () => void }) => (
  <CommandForm
    id="channel:new"
    mutation={CreateChannelDocument}
    initialValues={{
      name: '',
      medium: 'VOICE' as InteractionChannel,
      capabilities: [] as string[],
      hours: emptyHours,
    }}
    validate={errorsOf}
    variables={({ name, medium, capabilities, hours }) => ({
      input: { name: name.trim(), medium, capabilities, ...hoursInput(hours) },
    })}
    fieldOf={fieldOfPath}
    submitLabel="Register the channel"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Select
          label="Medium"
          allowDeselect={false}
          data={mediumOptions}
          {...form.getInputProps('medium')}
        />
        <TagsInput
          label="Capabilities"
          description="Press Enter after each."
          {...form.getInputProps('capabilities')}
        />
        <HoursFields
          hours={form.values.hours}
          errors={form.errors}
          onChange={(hours) => form.setFieldValue('hours', hours)}
        />
      </>
    )}
  </CommandForm>
)

/** Changes the name, the capabilities and the opening hours of a channel. */
export const UpdateChannelForm = ({
  channel: { channelId, name, capabilities, hours },
  onClose,
}: {
  channel: Channel
  onClose: () => void
}) => (
  <CommandForm
    id={`channel:${channelId}`}
    mutation={UpdateChannelDocument}
    initialValues={{ name, capabilities: [...capabilities], hours: hoursFrom(hours) }}
    validate={errorsOf}
    variables={(values) => ({
      input: {
        channelId,
        name: values.name.trim(),
        capabilities: values.capabilities,
        ...hoursInput(values.hours),
      },
    })}
    fieldOf={fieldOfPath}
    submitLabel="Save"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <TagsInput label="Capabilities" {...form.getInputProps('capabilities')} />
        <HoursFields
          hours={form.values.hours}
          errors={form.errors}
          onChange={(changed) => form.setFieldValue('hours', changed)}
        />
      </>
    )}
  </CommandForm>
)
