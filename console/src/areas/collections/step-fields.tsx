import { Button, Fieldset, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import {
  actions,
  channels,
  emptyStep,
  optionsOf,
  priorities,
  type StepValues,
  type StrategyValues,
} from './strategy-values.ts'

/** The steps of a strategy, in the order of their days. */
export const StepFields = ({ form }: { form: UseFormReturnType<StrategyValues> }) => (
  <Fieldset legend="Steps">
    <Stack>
      {form.values.steps.map((step, index) => (
        <StepRow key={index} form={form} step={step} index={index} />
      ))}
      <div>
        <Button size="xs" variant="default" onClick={() => form.insertListItem('steps', emptyStep)}>
          Add a step
        </Button>
      </div>
    </Stack>
  </Fieldset>
)

interface StepRowProps {
  form: UseFormReturnType<StrategyValues>
  step: StepValues
  index: number
}

function StepRow({ form, step: { action }, index }: StepRowProps) {
  const field = (name: keyof StepValues) => form.getInputProps(`steps.${index}.${name}`)
  return (
    <div className="list-item">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput label="Name of the step" required {...field('code')} />
        <TextInput
          label="From days past due"
          inputMode="numeric"
          required
          {...field('fromDaysPastDue')}
        />
        <Select
          label="Action"
          allowDeselect={false}
          data={optionsOf(actions)}
          {...field('action')}
        />
        {action === 'SEND_LETTER' && (
          <>
            <TextInput label="Template code" required {...field('templateCode')} />
            <Select
              label="Channel"
              allowDeselect={false}
              data={optionsOf(channels)}
              {...field('channel')}
            />
          </>
        )}
        {action === 'OPEN_CASE' && (
          <Select
            label="Priority"
            allowDeselect={false}
            data={optionsOf(priorities)}
            {...field('priority')}
          />
        )}
        {action !== 'SEND_LETTER' && (
          <TextInput
            label="Routing profile ID"
            required={action === 'ESCALATE'}
            {...field('routingProfileId')}
          />
        )}
      </SimpleGrid>
      <Group justify="flex-end" mt="xs">
        <Button
          size="xs"
          variant="subtle"
          color="red"
          onClick={() => form.removeListItem('steps', index)}
        >
          Remove the step
        </Button>
      </Group>
    </div>
  )
}
