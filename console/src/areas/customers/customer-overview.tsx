import { Badge, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { panelsAt } from '../../app/extensions.ts'
import { formatLanguage, readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { FacilityLink } from '../lending/facility-link.tsx'
import type { Party } from './party.ts'
import { CustomerSteps } from './customer-steps.tsx'

/** Who the customer is, and what the customer has at the bank. */
export function CustomerOverview({ party }: { party: Party }) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Person party={party} />
        <Contacts party={party} />
      </SimpleGrid>
      <CustomerSteps party={party} />
      {party.accounts && <Accounts party={party} />}
      <Loans party={party} />
      {party.agreements && <Agreements agreements={party.agreements.nodes} />}
      {panelsAt('customer.overview').map((Panel, index) => (
        <Panel key={index} partyId={party.partyId} />
      ))}
    </Stack>
  )
}

const Person = ({ party }: { party: Party }) => (
  <Section title="Person">
    <Facts
      facts={[
        ['Kind', readable(party.kind)],
        ['Date of birth', <Time key="birth" value={party.dateOfBirth} />],
        ...(party.diedOn ? [['Died', <Time key="died" value={party.diedOn} />] as const] : []),
        ['Language', party.language && formatLanguage(party.language)],
        ['Time zone', party.timeZone],
        ['Marketing', party.marketingOptOut ? 'Opted out' : 'Allowed'],
        ['Relationship manager', party.relationshipManager?.name],
        ['Known since', <Time key="since" value={party.createdAt.slice(0, 10)} />],
      ]}
    />
    {party.restrictedAt && (
      <Text mt="md" c="red">
        The processing of this person’s data is restricted.
      </Text>
    )}
  </Section>
)

const Contacts = ({ party }: { party: Party }) => (
  <Section title="Contact points">
    {party.contactPoints.length === 0 && <Empty>There is no address to reach this customer.</Empty>}
    <List listStyleType="none" spacing="sm">
      {party.contactPoints.map(({ channel, address, verified }) => (
        <List.Item key={`${channel} ${address}`}>
          <Group gap="sm">
            <Badge variant="default">{readable(channel)}</Badge>
            <Text className="address">{address}</Text>
            <Text size="sm" c="dimmed">
              {verified ? 'verified' : 'not verified'}
            </Text>
          </Group>
        </List.Item>
      ))}
    </List>
  </Section>
)

function Accounts({ party }: { party: Party }) {
  const may = useMay()
  const accounts = party.accounts ?? []
  const canOpen = may('accounts:write') && (party.customers ?? []).length > 0
  return (
    <Section
      title="Accounts"
      actions={
        canOpen && (
          <LinkButton
            to="/customers/$partyId"
            params={{ partyId: party.partyId }}
            search={{ dialog: 'account' }}
            size="xs"
            variant="light"
          >
            Open an account
          </LinkButton>
        )
      }
    >
      {accounts.length === 0 ? (
        <Empty>This customer has no account.</Empty>
      ) : (
        <RowTable
          label="Accounts"
          rows={accounts}
          columns={accountColumns}
          keyOf={({ arrangementId }) => arrangementId}
        />
      )}
    </Section>
  )
}

type Account = NonNullable<Party['accounts']>[number]

const accountColumns: readonly Column<Account>[] = [
  {
    title: 'Account',
    cell: ({ arrangementId, nickname, product, accountNumber }) => (
      <>
        <AppLink to="/accounts/$arrangementId" params={{ arrangementId }}>
          {nickname ?? product?.name ?? 'Account'}
        </AppLink>
        <Text size="sm" c="dimmed">
          {accountNumber}
        </Text>
      </>
    ),
  },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  {
    title: 'Balance',
    isNumeric: true,
    cell: ({ balances }) =>
      (balances ?? []).map(({ committed, currency }) => (
        <div key={currency}>
          <Money value={{ amount: committed, currency }} />
        </div>
      )),
  },
]

function Loans({ party }: { party: Party }) {
  const facilities = (party.customers ?? []).flatMap((customer) => customer.facilities?.nodes ?? [])
  if (facilities.length === 0) return null
  return (
    <Section title="Loans and credit lines">
      <RowTable
        label="Loans and credit lines"
        rows={facilities}
        columns={facilityColumns}
        keyOf={({ facilityId }) => facilityId}
      />
    </Section>
  )
}

type Customer = NonNullable<Party['customers']>[number]
type Facility = NonNullable<Customer['facilities']>['nodes'][number]

const facilityColumns: readonly Column<Facility>[] = [
  { title: 'Loan', cell: (facility) => <FacilityLink facility={facility} /> },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  {
    title: 'Outstanding',
    isNumeric: true,
    cell: ({ outstandingPrincipal, limit }) => (
      <>
        <Money value={outstandingPrincipal} /> of <Money value={limit} />
      </>
    ),
  },
]

const Agreements = ({ agreements }: { agreements: NonNullable<Party['agreements']>['nodes'] }) => (
  <Section title="Agreements">
    {agreements.length === 0 ? (
      <Empty>Nothing is agreed with this customer.</Empty>
    ) : (
      <RowTable
        label="Agreements"
        rows={agreements}
        columns={agreementColumns}
        keyOf={({ agreementId }) => agreementId}
      />
    )}
  </Section>
)

type Agreement = NonNullable<Party['agreements']>['nodes'][number]

const agreementColumns: readonly Column<Agreement>[] = [
  {
    title: 'Agreement',
    cell: ({ agreementType, productCode }) => (
      <>
        {readable(agreementType)}
        <Text size="sm" c="dimmed">
          {productCode}
        </Text>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'In force',
    isNumeric: true,
    cell: ({ effectiveFrom, effectiveTo }) => (
      <>
        <Time value={effectiveFrom} />
        {effectiveTo && (
          <>
            {' to '}
            <Time value={effectiveTo} />
          </>
        )}
      </>
    ),
  },
]
