import { SegmentedControl, Select, SimpleGrid, Stack, TagsInput } from '@mantine/core'
import { Autocomplete, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FeeFields } from './fee-fields.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { RateResetFields } from './rate-reset-fields.tsx'
import { productClasses } from './product-classes.ts'
import type { VersionValues } from './version-input.ts'

const statuses = [
  { value: 'draft', label: 'As a draft' },
  { value: 'active', label: 'On sale at once' },
]

/** The terms of a version. A new version keeps the ID and the class of its product. */
export function VersionFields({
  form,
  isNewVersion,
}: {
  form: UseFormReturnType<VersionValues>
  isNewVersion: boolean
}) {
  return (
    <Stack maw={760}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <TextInput
          label="Version"
          placeholder="2026.10"
          required
          {...form.getInputProps('version')}
        />
        <TextInput
          label="Product ID"
          placeholder="prd_everyday"
          required
          readOnly={isNewVersion}
          {...form.getInputProps('productId')}
        />
        <ProductClass form={form} isFixed={isNewVersion} />
      </SimpleGrid>
      <Textarea label="Description" autosize {...form.getInputProps('description')} />
      <TagsInput
        label="Currencies"
        description="Press Enter after each."
        {...form.getInputProps('currencies')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          label="Base rate in percent"
          inputMode="decimal"
          {...form.getInputProps('basePct')}
        />
        <TextInput
          label="Margin in percent"
          inputMode="decimal"
          {...form.getInputProps('marginPct')}
        />
        <TextInput
          label="Reference rate"
          placeholder="EURIBOR-3M"
          {...form.getInputProps('referenceRate')}
        />
        <TextInput type="date" label="On sale from" {...form.getInputProps('effectiveFrom')} />
        <TextInput type="date" label="On sale until" {...form.getInputProps('effectiveTo')} />
        <TextInput
          label="At most per customer"
          inputMode="numeric"
          {...form.getInputProps('maxPerCustomer')}
        />
      </SimpleGrid>
      <RateResetFields form={form} />
      {(form.values.rest.depositInterest || form.values.rest.overdraft) && (
        <Text size="sm" c="dimmed">
          The version keeps the terms of deposit interest and overdrafts of the former one.
        </Text>
      )}
      <ParameterFields form={form} />
      <FeeFields form={form} />
      <SegmentedControl aria-label="Status" data={statuses} {...form.getInputProps('status')} />
    </Stack>
  )
}

function ProductClass({
  form,
  isFixed,
}: {
  form: UseFormReturnType<VersionValues>
  isFixed: boolean
}) {
  const { value } = form.getInputProps('productClass') as { value: string }
  if (isFixed) {
    return <Select label="Class" readOnly data={[value]} {...form.getInputProps('productClass')} />
  }
  return (
    <Autocomplete
      label="Class"
      required
      data={productClasses.map((each) => each.value)}
      {...form.getInputProps('productClass')}
    />
  )
}
