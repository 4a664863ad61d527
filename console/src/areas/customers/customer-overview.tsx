import { Badge, Group, List, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { panelsAt } from '../../app/extensions.ts'
import { readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Facts, Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
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
        ['Language', party.language],
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
        <Table aria-label="Accounts">
          <Table.Tbody>
            {accounts.map(
              ({ arrangementId, accountNumber, nickname, product, state, balances }) => (
                <Table.Tr key={arrangementId}>
                  <Table.Td>
                    <AppLink to="/accounts/$arrangementId" params={{ arrangementId }}>
                      {nickname ?? product?.name}
                    </AppLink>
                    <Text size="sm" c="dimmed">
                      {accountNumber}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <State value={state} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {(balances ?? []).map(({ committed, currency }) => (
                      <Money key={currency} value={{ amount: committed, currency }} />
                    ))}
                  </Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

function Loans({ party }: { party: Party }) {
  const facilities = (party.customers ?? []).flatMap((customer) => customer.facilities?.nodes ?? [])
  if (facilities.length === 0) return null
  return (
    <Section title="Loans and credit lines">
      <Table aria-label="Loans and credit lines">
        <Table.Tbody>
          {facilities.map(({ facilityId, kind, state, outstandingPrincipal, limit }) => (
            <Table.Tr key={facilityId}>
              <Table.Td>{readable(kind)}</Table.Td>
              <Table.Td>
                <State value={state} />
              </Table.Td>
              <Table.Td ta="right">
                <Money value={outstandingPrincipal} /> of <Money value={limit} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

const Agreements = ({ agreements }: { agreements: NonNullable<Party['agreements']>['nodes'] }) => (
  <Section title="Agreements">
    {agreements.length === 0 ? (
      <Empty>Nothing is agreed with this customer.</Empty>
    ) : (
      <Table aria-label="Agreements">
        <Table.Tbody>
          {agreements.map(({ agreementId, agreementType, productCode, status, ...dates }) => (
            <Table.Tr key={agreementId}>
              <Table.Td>
                {readable(agreementType)}
                <Text size="sm" c="dimmed">
                  {productCode}
                </Text>
              </Table.Td>
              <Table.Td>
                <State value={status} />
              </Table.Td>
              <Table.Td ta="right">
                <Time value={dates.effectiveFrom} />
                {dates.effectiveTo && (
                  <>
                    {' to '}
                    <Time value={dates.effectiveTo} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Section>
)
