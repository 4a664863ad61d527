import { useQuery } from '@apollo/client/react'
import {
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { CreateCampaignDocument, ProductsDocument } from './queries.generated.ts'

interface Values {
  name: string
  description: string
  status: string
  productIds: string[]
  segments: string[]
  validFrom: string
  validTo: string
  discountPct: string
  waivedFees: string[]
}

const statuses = [
  { value: 'draft', label: 'As a draft' },
  { value: 'active', label: 'Active at once' },
]

function inputOf({ name, description, discountPct, ...values }: Values) {
  return {
    ...values,
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
    ...(discountPct.trim() && { discountPct: discountPct.trim().replace(',', '.') }),
  }
}

function errorsOf({ name, productIds, validFrom, validTo, discountPct, waivedFees }: Values) {
  const gives = discountPct.trim() !== '' || waivedFees.length > 0
  return {
    ...(!name.trim() && { name: 'Required.' }),
    ...(productIds.length === 0 && { productIds: 'Which products?' }),
    ...(!validFrom && { validFrom: 'Required.' }),
    ...(!validTo && { validTo: 'Required.' }),
    ...(!gives && { discountPct: 'A discount, waived fees, or both.' }),
  }
}

/** Creates a campaign, as a draft or active at once. */
export function NewCampaignPage() {
  const { product } = useSearch({ from: '/campaigns/new' })
  const navigate = useNavigate()
  const initialValues: Values = {
    name: '',
    description: '',
    status: 'draft',
    productIds: product ? [product] : [],
    segments: [],
    validFrom: '',
    validTo: '',
    discountPct: '',
    waivedFees: [],
  }
  return (
    <Page title="New campaign" lead="What it gives applies from its first to its last day.">
      <Section title="Campaign">
        <CommandForm
          id={`campaign:${product ?? ''}`}
          mutation={CreateCampaignDocument}
          initialValues={initialValues}
          validate={errorsOf}
          variables={(values) => ({ input: inputOf(values) })}
          fieldOf={(pointer) => pointer.split('/').find((part) => part in initialValues)}
          fieldOfCode={{ INVALID_DATE_RANGE: 'validTo', PRODUCT_NOT_FOUND: 'productIds' }}
          submitLabel="Create the campaign"
          onCancel={() => void navigate({ to: '/campaigns' })}
          onDone={({ createCampaign: { campaignId } }) =>
            void navigate({ to: '/campaigns/$campaignId', params: { campaignId } })
          }
        >
          {(form) => <CampaignFields form={form} />}
        </CommandForm>
      </Section>
    </Page>
  )
}

const CampaignFields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <Stack maw={640}>
    <TextInput label="Name" required {...form.getInputProps('name')} />
    <Textarea label="Description" autosize {...form.getInputProps('description')} />
    <Products {...form.getInputProps('productIds')} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput type="date" label="First day" required {...form.getInputProps('validFrom')} />
      <TextInput type="date" label="Last day" required {...form.getInputProps('validTo')} />
    </SimpleGrid>
    <TextInput
      label="Discount in percent"
      description="It lowers the rate of quotes that name the campaign."
      inputMode="decimal"
      {...form.getInputProps('discountPct')}
    />
    <TagsInput
      label="Waived fees"
      description="The codes of the fees, such as account. Press Enter after each."
      {...form.getInputProps('waivedFees')}
    />
    <TagsInput
      label="Segments"
      description="Empty for all customers."
      {...form.getInputProps('segments')}
    />
    <SegmentedControl aria-label="Status" data={statuses} {...form.getInputProps('status')} />
  </Stack>
)

type ProductsProps = ReturnType<UseFormReturnType<Values>['getInputProps']>

function Products(props: ProductsProps) {
  const { data } = useQuery(ProductsDocument, { variables: { status: 'active' } })
  const listed = data?.products?.nodes ?? []
  const options = listed.map(({ productId, name }) => ({ value: productId, label: name }))
  const unlisted = (props.value as string[]).filter(
    (id) => !options.some(({ value }) => value === id),
  )
  return (
    <MultiSelect
      label="Products"
      required
      searchable
      data={[...options, ...unlisted.map((value) => ({ value, label: value }))]}
      {...props}
    />
  )
}
