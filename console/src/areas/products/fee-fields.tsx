import { Button, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { readable } from '../../parts/format.ts'
import type { FeeFrequency } from './queries.generated.ts'
import { emptyFee, type FeeValues, type VersionValues } from './version-input.ts'

const frequencies: readonly FeeFrequency[] = [
  'UPFRONT',
  'MONTHLY',
  'QUARTERLY',
  'YEARLY',
  'PER_EVENT',
  'ON_REQUEST',
]

const kinds = [
  { value: 'amount', label: 'Amount' },
  { value: 'percent', label: 'Percent' },
  { value: 'tiers', label: 'Tiers' },
]

/** The fees of a version. Tiers, bounds, waivers, triggers and third parties of the former version are kept. */
export function FeeFields({ form }: { form: UseFormReturnType<VersionValues> }) {
  return (
    <Fieldset legend="Fees">
      <Stack>
        {form.values.fees.map((fee, index) => (
          <FeeRow key={index} form={form} fee={fee} index={index} />
        ))}
        <div>
          <Button size="xs" variant="default" onClick={() => form.insertListItem('fees', emptyFee)}>
            Add a fee
          </Button>
        </div>
      </Stack>
    </Fieldset>
  )
}

interface FeeRowProps {
  form: UseFormReturnType<VersionValues>
  fee: FeeValues
  index: number
}

function FeeRow({ form, fee: { kind, rest }, index }: FeeRowProps) {
  const field = (name: keyof FeeValues) => form.getInputProps(`fees.${index}.${name}`)
  const kept = [
    rest.tiers?.length && 'tiers',
    (rest.minimum || rest.maximum) && 'bounds',
    rest.waivers?.length && 'waivers',
    rest.trigger && 'trigger',
    rest.thirdParty && 'third party',
  ].filter(Boolean)
  const offered = rest.trigger ? [...frequencies, 'ON_EVENT' as const] : frequencies
  return (
    <div className="list-item">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput label="Code of the fee" required {...field('code')} />
        <TextInput label="Name of the fee" {...field('name')} />
        <Select
          label="When"
          allowDeselect={false}
          data={offered.map((value) => ({ value, label: readable(value) }))}
          {...field('frequency')}
        />
        <Select
          label="Kind"
          allowDeselect={false}
          data={kinds.filter(({ value }) => value !== 'tiers' || rest.tiers?.length)}
          {...field('kind')}
        />
        {kind !== 'tiers' && (
          <TextInput label="Value" required inputMode="decimal" {...field('value')} />
        )}
        {kind === 'amount' && <TextInput label="Currency" required {...field('currency')} />}
      </SimpleGrid>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="dimmed">
          {kept.length > 0 && `Kept from the former version: ${kept.join(', ')}.`}
        </Text>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          onClick={() => form.removeListItem('fees', index)}
        >
          Remove the fee
        </Button>
      </Group>
    </div>
  )
}
