import { useQuery } from '@apollo/client/react'
import { Alert, Group, List, Select, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Money, State, Time } from '../../parts/values.tsx'
import { useCursor } from './customer-records.tsx'
import type { Party } from './party.ts'
import {
  CustomerEntitlementsDocument,
  ExplainEntitlementDocument,
  type CustomerEntitlementsQuery,
  type EntitlementRight,
} from './queries.generated.ts'

type Entitlement = NonNullable<CustomerEntitlementsQuery['entitlements']>['nodes'][number]

const columns: readonly Column<Entitlement>[] = [
  { title: 'Right', cell: ({ right }) => readable(right) },
  { title: 'To', cell: ({ resource }) => <Id value={resource} /> },
  { title: 'Granted by', cell: ({ grantorPartyId }) => <Id value={grantorPartyId} /> },
  { title: 'Granted to', cell: ({ granteePartyId }) => <Id value={granteePartyId} /> },
  { title: 'Limit', isNumeric: true, cell: ({ limit }) => <Money value={limit} /> },
  { title: 'Until', cell: ({ validTo }) => <Time value={validTo} /> },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
]

const rights: readonly EntitlementRight[] = ['VIEW', 'TRANSFER', 'MANAGE']

/** What a customer may do with accounts, and why. */
export function CustomerEntitlements({ party }: { party: Party }) {
  const { after, onPage } = useCursor()
  const { data, error } = useQuery(CustomerEntitlementsDocument, {
    variables: { partyId: party.partyId, after: after ?? null },
  })
  return (
    <Stack gap="lg">
      <Explanation party={party} />
      <Section title="Granted rights">
        <ConnectionTable
          error={error}
          label="Granted rights"
          connection={data?.entitlements}
          columns={columns}
          keyOf={({ entitlementId }) => entitlementId}
          after={after}
          onPage={onPage}
          empty="Nobody granted a right to or by this customer. Customers have all rights to their own accounts."
        />
      </Section>
    </Stack>
  )
}

function Explanation({ party }: { party: Party }) {
  const { resource, right = 'VIEW' } = useSearch({ from: '/customers/$partyId' })
  const navigate = useNavigate({ from: '/customers/$partyId' })
  const options = (party.accounts ?? []).map(({ arrangementId, accountNumber, nickname }) => ({
    value: `arrangement/${arrangementId}`,
    label: [nickname, accountNumber].filter(Boolean).join(' · '),
  }))
  const change = (values: { resource?: string | undefined; right?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...values }) })
  return (
    <Section title="Why may the customer do this?">
      <Group mb="md">
        <Select
          label="Account"
          data={options}
          value={resource ?? null}
          onChange={(value) => change({ resource: value ?? undefined })}
          w={320}
        />
        <Select
          label="Right"
          data={rights.map((value) => ({ value, label: readable(value) }))}
          value={right}
          onChange={(value) => change({ right: value ?? undefined })}
        />
      </Group>
      {resource && (
        <Query
          query={ExplainEntitlementDocument}
          variables={{ partyId: party.partyId, resource, right: right as EntitlementRight }}
        >
          {({ explainEntitlement: explanation }) =>
            explanation && (
              <Alert
                color={explanation.allowed ? 'teal' : 'gray'}
                title={explanation.allowed ? 'Allowed' : 'Not allowed'}
              >
                <List size="sm">
                  {explanation.because.map(({ rule, detail }) => (
                    <List.Item key={`${rule} ${detail}`}>{detail}</List.Item>
                  ))}
                </List>
              </Alert>
            )
          }
        </Query>
      )}
    </Section>
  )
}
