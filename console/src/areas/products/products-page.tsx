import { useQuery } from '@apollo/client/react'
import { Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { formatRate, readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { productClasses } from './product-classes.ts'
import { ProductsDocument, type ProductStatus, type ProductsQuery } from './queries.generated.ts'
import { totalRate } from './rates.ts'

type Version = NonNullable<ProductsQuery['products']>['nodes'][number]

const statuses: readonly ProductStatus[] = [
  'ACTIVE',
  'DRAFT',
  'SUSPENDED',
  'SUPERSEDED',
  'RETIRED',
  'WITHDRAWN',
]

const columns: readonly Column<Version>[] = [
  {
    title: 'Product',
    cell: ({ productId, version, name }) => (
      <>
        <AppLink to="/products/$productId" params={{ productId }} search={{ version }}>
          {name}
        </AppLink>
        <Text size="sm" c="dimmed">
          {productId}
        </Text>
      </>
    ),
  },
  { title: 'Class', cell: ({ productClass }) => readable(productClass) },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Currencies', cell: ({ currencies }) => currencies.join(', ') || <Missing /> },
  {
    title: 'Interest',
    isNumeric: true,
    cell: ({ interest }) => (interest ? formatRate(totalRate(interest)) : <Missing />),
  },
  { title: 'Fees', isNumeric: true, cell: ({ fees }) => fees.length },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt.slice(0, 10)} /> },
]

/** The versions of the bank's products, found by name, class and status. */
export function ProductsPage() {
  const search = useSearch({ from: '/products' })
  const navigate = useNavigate({ from: '/products' })
  useChangesOfType(['products.*'])
  const may = useMay()
  const { status = 'ACTIVE', after } = search
  const { data, previousData, error, refetch } = useQuery(ProductsDocument, {
    variables: {
      search: search.search ?? null,
      productClass: search.class ?? null,
      status: status === 'ALL' ? null : status,
      after: after ?? null,
    },
  })
  return (
    <Page
      title="Products"
      lead="What the bank sells: prices, fees and terms, version by version."
      actions={may('products:write') && <LinkButton to="/products/new">New product</LinkButton>}
    >
      <Section title="Product versions">
        <Filters />
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Product versions"
          connection={(data ?? previousData)?.products}
          columns={columns}
          keyOf={({ productId, version }) => `${productId} ${version}`}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="No product matches. Choose another status, or create the first version of a product."
        />
      </Section>
    </Page>
  )
}

function Filters() {
  const search = useSearch({ from: '/products' })
  const navigate = useNavigate({ from: '/products' })
  const change = (values: { search?: string; class?: string; status?: string }) =>
    void navigate({
      search: (old) => ({ ...old, after: undefined, ...values }) as typeof old,
      replace: true,
    })
  const find = useDebouncedCallback((text: string) => change({ search: text.trim() }), 250)
  return (
    <Group mb="md" align="flex-end">
      <TextInput
        label="Search"
        placeholder="Name or ID"
        leftSection={<IconSearch size={16} />}
        defaultValue={search.search ?? ''}
        onChange={({ currentTarget }) => find(currentTarget.value)}
      />
      <SelectFilter
        label="Class"
        all="All classes"
        data={productClasses}
        value={search.class}
        onChange={(value) => change({ class: value })}
      />
      <Select
        label="Status"
        allowDeselect={false}
        data={['ALL', ...statuses].map((value) => ({ value, label: readable(value) }))}
        value={search.status ?? 'ACTIVE'}
        onChange={(value) => change({ status: value ?? '' })}
      />
    </Group>
  )
}
