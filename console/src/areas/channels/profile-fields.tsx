import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@apollo/client/react'
import type { UseFormReturnType } from '@mantine/form'
import { HoursFields } from './hours-fields.tsx'
import { mediumOptions } from './media.ts'
import { emptyLimit, emptyQueue, type ProfileValues } from './profile-input.ts'
import { RoutingNamesDocument } from './queries.generated.ts'

type Form = UseFormReturnType<ProfileValues>

const kinds = [
  { value: 'CONTACT_CENTER', label: 'Contact center' },
  { value: 'RELATIONSHIP_MANAGER', label: 'Relationship managers' },
]

/** The configuration of a profile. A profile does not fall back to itself. */
export function ProfileFields({ form, ownId }: { form: Form; ownId?: string }) {
  const { data } = useQuery(RoutingNamesDocument)
  const fallbacks = (data?.routingProfiles?.nodes ?? []).filter(
    ({ routingProfileId, status }) => routingProfileId !== ownId && status !== 'ARCHIVED',
  )
  return (
    <Stack maw={760}>
      <TextInput label="Name" required {...form.getInputProps('name')} />
      <SegmentedControl aria-label="Kind" data={kinds} {...form.getInputProps('kind')} />
      <QueueFields
        form={form}
        queues={(data?.routingQueues?.nodes ?? []).map(({ queueId, name }) => ({
          value: queueId,
          label: name,
        }))}
      />
      <LimitFields form={form} />
      <HoursFields
        hours={form.values.hours}
        errors={form.errors}
        onChange={(hours) => form.setFieldValue('hours', hours)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TagsInput label="Segments" {...form.getInputProps('segments')} />
        <TagsInput label="Languages" {...form.getInputProps('languages')} />
        <TagsInput label="Skills of all agents" {...form.getInputProps('skills')} />
      </SimpleGrid>
      <Select
        label="Fallback profile"
        description="It is tried if nobody of this profile is there."
        clearable
        clearButtonProps={{ 'aria-label': 'No fallback' }}
        data={fallbacks.map(({ routingProfileId, name }) => ({
          value: routingProfileId,
          label: name,
        }))}
        error={form.errors['fallbackProfileId']}
        value={form.values.fallbackProfileId || null}
        onChange={(value) => form.setFieldValue('fallbackProfileId', value ?? '')}
      />
    </Stack>
  )
}

function QueueFields({ form, queues }: { form: Form; queues: { value: string; label: string }[] }) {
  return (
    <Fieldset legend="Queues that its agents serve">
      <Stack>
        {form.values.queues.map((_, index) => (
          <div className="list-item" key={index}>
            <SimpleGrid cols={{ base: 1, xs: 4 }}>
              <Select
                label="Queue"
                required
                data={queues}
                {...form.getInputProps(`queues.${index}.queueId`)}
              />
              <Select
                label="Medium"
                allowDeselect={false}
                data={mediumOptions}
                {...form.getInputProps(`queues.${index}.channel`)}
              />
              <TextInput
                label="Priority"
                inputMode="numeric"
                {...form.getInputProps(`queues.${index}.priority`)}
              />
              <TextInput
                label="Delay in seconds"
                inputMode="numeric"
                {...form.getInputProps(`queues.${index}.delaySeconds`)}
              />
            </SimpleGrid>
            <Remove onClick={() => form.removeListItem('queues', index)}>Remove the queue</Remove>
          </div>
        ))}
        <Add onClick={() => form.insertListItem('queues', emptyQueue)}>Add a queue</Add>
      </Stack>
    </Fieldset>
  )
}

function LimitFields({ form }: { form: Form }) {
  const field = (index: number, name: string) => `mediaConcurrencies.${index}.${name}`
  return (
    <Fieldset legend="How much an agent handles at the same time">
      <Stack>
        {form.values.mediaConcurrencies.map((_, index) => (
          <div className="list-item" key={index}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label="Medium of the limit"
                allowDeselect={false}
                data={mediumOptions}
                {...form.getInputProps(field(index, 'channel'))}
              />
              <TextInput
                label="At the same time"
                inputMode="numeric"
                {...form.getInputProps(field(index, 'concurrency'))}
              />
            </SimpleGrid>
            <Checkbox
              mt="sm"
              label="Also other media meanwhile"
              {...form.getInputProps(field(index, 'isShared'), { type: 'checkbox' })}
            />
            <Remove onClick={() => form.removeListItem('mediaConcurrencies', index)}>
              Remove the limit
            </Remove>
          </div>
        ))}
        <Add onClick={() => form.insertListItem('mediaConcurrencies', emptyLimit)}>Add a limit</Add>
      </Stack>
    </Fieldset>
  )
}

interface StepProps {
  onClick: () => void
  children: string
}

const Remove = (props: StepProps) => (
  <Group justify="flex-end" mt="xs">
    <Button size="xs" variant="subtle" color="red" {...props} />
  </Group>
)

const Add = (props: StepProps) => (
  <div>
    <Button size="xs" variant="default" {...props} />
  </div>
)
