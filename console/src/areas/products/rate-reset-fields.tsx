import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { RateResetFrequency } from './queries.generated.ts'
import type { VersionValues } from './version-input.ts'

const frequencies: { value: RateResetFrequency | ''; label: string }[] = [
  { value: '', label: 'The agreed rate stays the same' },
  { value: 'MONTHLY', label: 'Reset every month' },
  { value: 'QUARTERLY', label: 'Reset every three months' },
  { value: 'SEMI_ANNUALLY', label: 'Reset every six months' },
  { value: 'ANNUALLY', label: 'Reset every year' },
]

/** How the rate of a loan follows the reference rate. */
export const RateResetFields = ({ form }: { form: UseFormReturnType<VersionValues> }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <Select
      label="Rate of loans"
      allowDeselect={false}
      data={frequencies}
      {...form.getInputProps('resetFrequency')}
    />
    {form.values.resetFrequency && (
      <>
        <TextInput
          label="Days from the fixing to the reset"
          inputMode="numeric"
          {...form.getInputProps('lookbackDays')}
        />
        <TextInput
          label="Lowest rate in percent"
          inputMode="decimal"
          {...form.getInputProps('minimumRatePct')}
        />
        <TextInput
          label="Highest rate in percent"
          placeholder="None"
          inputMode="decimal"
          {...form.getInputProps('maximumRatePct')}
        />
      </>
    )}
  </SimpleGrid>
)
