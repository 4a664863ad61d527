import { useQuery } from '@apollo/client/react'
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect } from 'react'
import { readable } from '../../parts/format.ts'
import { CampaignsDocument, type VersionPartsFragment } from './queries.generated.ts'
import type { QuoteValues } from './quote-input.ts'

interface QuoteFieldsProps {
  form: UseFormReturnType<QuoteValues>
  versions: readonly VersionPartsFragment[]
  onValues: (values: QuoteValues) => void
}

/** What the price depends on. `onValues` gets every change. */
export function QuoteFields({ form, versions, onValues }: QuoteFieldsProps) {
  const { values } = form
  useEffect(() => onValues(values), [values, onValues])
  const { data } = useQuery(CampaignsDocument, {
    variables: { productId: versions[0]!.productId, status: 'ACTIVE' },
  })
  const campaigns = data?.campaigns?.nodes ?? []
  return (
    <Stack>
      <PriceFields form={form} versions={versions} />
      <TextInput label="Reason of the discount" {...form.getInputProps('discountReason')} />
      <Select
        label="Campaign"
        description="Its discount replaces a discount of your own."
        placeholder={campaigns.length > 0 ? 'None' : 'No campaign is active for this product'}
        clearable
        clearButtonProps={{ 'aria-label': 'No campaign' }}
        data={campaigns.map(({ campaignId, name }) => ({ value: campaignId, label: name }))}
        {...form.getInputProps('campaignId')}
        value={values.campaignId || null}
        onChange={(value) => form.setFieldValue('campaignId', value ?? '')}
      />
      <TextInput
        label="Customer number"
        description="Empty for a price that applies to everyone."
        placeholder="cus_…"
        {...form.getInputProps('customerId')}
      />
    </Stack>
  )
}

function PriceFields({ form, versions }: Omit<QuoteFieldsProps, 'onValues'>) {
  const { values } = form
  const version = versions.find((each) => each.version === values.version)
  const currencies = version?.currencies ?? []
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label="Amount" inputMode="decimal" {...form.getInputProps('amount')} />
      <Select
        label="Currency"
        allowDeselect={false}
        data={currencies.length > 0 ? [...currencies] : [values.currency]}
        {...form.getInputProps('currency')}
      />
      <TextInput label="Term in months" inputMode="numeric" {...form.getInputProps('termMonths')} />
      <Select
        label="Version"
        allowDeselect={false}
        data={versions.map((each) => ({
          value: each.version,
          label: `${each.version} · ${readable(each.status)}`,
        }))}
        {...form.getInputProps('version')}
      />
      <TextInput
        label="Margin in percent"
        placeholder="As the product says"
        inputMode="decimal"
        {...form.getInputProps('marginPct')}
      />
      <TextInput
        label="Discount in percent"
        inputMode="decimal"
        {...form.getInputProps('discountPct')}
      />
    </SimpleGrid>
  )
}
