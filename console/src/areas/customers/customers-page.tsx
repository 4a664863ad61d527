import { useQuery } from '@apollo/client/react'
import { Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { readable } from '../../parts/format.ts'
import { useMay } from '../../session/session.ts'
import { PartiesDocument, type PartiesQuery } from './queries.generated.ts'

type Party = NonNullable<PartiesQuery['parties']>['nodes'][number]

const columns: readonly Column<Party>[] = [
  {
    title: 'Name',
    cell: ({ partyId, displayName }) => (
      <AppLink to="/customers/$partyId" params={{ partyId }}>
        {displayName}
      </AppLink>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => readable(kind) },
  {
    title: 'Status',
    cell: ({ customers, status }) => (
      <Group gap={4}>
        {customers?.length ? (
          customers.map((customer) => <State key={customer.customerId} value={customer.status} />)
        ) : (
          <State value={status} />
        )}
      </Group>
    ),
  },
  { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt.slice(0, 10)} /> },
]

/** The customers of the bank, found by name or address. */
export function CustomersPage() {
  const { search, after } = useSearch({ from: '/customers' })
  const navigate = useNavigate({ from: '/customers' })
  useChangesOfType(['parties.*'])
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(PartiesDocument, {
    variables: { search: search ?? null, after: after ?? null },
  })
  const find = useDebouncedCallback((text: string) => {
    void navigate({ search: text.trim() ? { search: text.trim() } : {}, replace: true })
  }, 250)
  return (
    <Page
      title="Customers"
      lead="People and organizations that the bank knows."
      actions={may('parties:write') && <LinkButton to="/customers/new">New customer</LinkButton>}
    >
      <Section title="All customers">
        <TextInput
          aria-label="Search by name, email or phone"
          placeholder="Search by name, email or phone"
          leftSection={<IconSearch size={16} />}
          defaultValue={search ?? ''}
          onChange={({ currentTarget }) => find(currentTarget.value)}
          maw={420}
          mb="md"
        />
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Customers"
          connection={(data ?? previousData)?.parties}
          columns={columns}
          keyOf={({ partyId }) => partyId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty={search ? `Nobody is called “${search}”.` : 'The bank has no customers yet.'}
        />
      </Section>
    </Page>
  )
}
