import { useQuery } from '@apollo/client/react'
import { Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, State, Time } from '../../parts/values.tsx'
import { LoggedRequests } from './logged-requests.tsx'
import { RejectedRequests } from './rejected-requests.tsx'
import { useMay } from '../../session/session.ts'
import {
  ClientsDocument,
  IdentityRecordsDocument,
  type ClientsQuery,
  type IdentityRecordsQuery,
} from './queries.generated.ts'

type IdentityRecord = NonNullable<IdentityRecordsQuery['identityRecords']>['nodes'][number]
type Client = NonNullable<ClientsQuery['oauthClients']>['nodes'][number]

const recordColumns: readonly Column<IdentityRecord>[] = [
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'What',
    cell: ({ kind, detail, count }) => (
      <>
        {readable(kind)}
        {count > 1 && ` (${count} times)`}
        {detail && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
      </>
    ),
  },
  { title: 'Outcome', cell: ({ outcome }) => <State value={outcome} /> },
  { title: 'Person', cell: ({ person, actor }) => person ?? actor },
  { title: 'App', cell: ({ clientId }) => clientId },
  { title: 'Address', cell: ({ address }) => address },
]

const clientColumns: readonly Column<Client>[] = [
  { title: 'Label', cell: ({ label }) => label },
  { title: 'ID', cell: ({ clientId }) => <Id value={clientId} /> },
  {
    title: 'Kind',
    cell: ({ redirectUris }) => (redirectUris.length > 0 ? 'App of people' : 'Machine'),
  },
  { title: 'Authentication', cell: ({ authentication }) => readable(authentication) },
  { title: 'Scopes', isNumeric: true, cell: ({ scopes }) => scopes.length },
  {
    title: 'State',
    cell: ({ disabledAt }) => <State value={disabledAt === null ? 'enabled' : 'disabled'} />,
  },
]

/** Who logged in, with what, and which programs may call the bank. */
export function AccessPage() {
  const may = useMay()
  const { tab = may('audit:read') ? 'identity' : 'clients' } = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  return (
    <Page
      title="Access"
      lead="Who logged in, which programs may call the bank, and what it rejected."
    >
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {may('audit:read') && <Tabs.Tab value="identity">Log-ins and rights</Tabs.Tab>}
          <Tabs.Tab value="clients">Programs</Tabs.Tab>
          <Tabs.Tab value="requests">Requests</Tabs.Tab>
          <Tabs.Tab value="rejected">Rejected requests</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="identity">
          <Identity />
        </Tabs.Panel>
        <Tabs.Panel value="clients">
          <Clients />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <LoggedRequests />
        </Tabs.Panel>
        <Tabs.Panel value="rejected">
          <RejectedRequests />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Identity() {
  const { person, after } = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  const { data, previousData, error } = useQuery(IdentityRecordsDocument, {
    variables: { person: person ?? null, after: after ?? null },
  })
  const find = useDebouncedCallback((text: string) => {
    const name = text.trim() || undefined
    void navigate({ search: (old) => ({ ...old, person: name, after: undefined }), replace: true })
  }, 300)
  return (
    <Section title="Log-ins and rights">
      <TextInput
        label="User name"
        defaultValue={person ?? ''}
        onChange={({ currentTarget }) => find(currentTarget.value)}
        maw={280}
        mb="md"
      />
      <ConnectionTable
        error={error}
        label="Log-ins and rights"
        connection={(data ?? previousData)?.identityRecords}
        columns={recordColumns}
        keyOf={({ recordId }) => recordId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="Nothing was recorded."
      />
    </Section>
  )
}

function Clients() {
  const { after } = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  const { data, previousData, error } = useQuery(ClientsDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Section title="Programs">
      <ConnectionTable
        error={error}
        label="Programs"
        connection={(data ?? previousData)?.oauthClients}
        columns={clientColumns}
        keyOf={({ clientId }) => clientId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="No programs are registered besides those of the bank itself."
      />
    </Section>
  )
}
