import { Alert, Badge, Code, Group, List, Stack, Table, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Money } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { LedgerHealthDocument, type LedgerHealthQuery } from './queries.generated.ts'

type TrialBalance = NonNullable<LedgerHealthQuery['trialBalances']>[number]

/** Whether the books are right: what was debited equals what was credited, in every currency. */
export function LedgerPage() {
  const may = useMay()
  const variables = { withInvariants: may('operations:read') }
  return (
    <Page title="Ledger" lead="Every movement of money is a double entry.">
      <Query query={LedgerHealthDocument} variables={variables}>
        {(data) => (
          <Stack gap="lg">
            {variables.withInvariants && <Proof data={data} />}
            {(data.trialBalances ?? []).map((balance) => (
              <TrialBalanceSection key={balance.currency} balance={balance} />
            ))}
          </Stack>
        )}
      </Query>
    </Page>
  )
}

function Proof({ data: { ledgerFindings, verifyLedger } }: { data: LedgerHealthQuery }) {
  const findings = ledgerFindings ?? []
  const isIntact = verifyLedger?.badLine === null
  return (
    <Section title="Proof">
      <Stack>
        {findings.length === 0 ? (
          <Alert color="teal" icon={<IconCircleCheck />} title="All invariants hold">
            Every posting is balanced, every balance is the sum of its entries, and no account is
            below its limit.
          </Alert>
        ) : (
          <Alert color="red" role="alert" title="The books are not right">
            <List size="sm">
              {findings.map(({ invariant, subject, detail }) => (
                <List.Item key={`${invariant} ${subject} ${detail}`}>
                  {readable(invariant)}: {detail}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {verifyLedger && (
          <Group gap="sm">
            <Badge color={isIntact ? 'teal' : 'red'} variant="light" className="state">
              {isIntact ? 'Journal intact' : 'Journal changed'}
            </Badge>
            <Text size="sm" c="dimmed">
              {verifyLedger.detail}
            </Text>
            <Text size="sm" c="dimmed" className="address">
              Sealed head <Code>{verifyLedger.head}</Code>
            </Text>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function TrialBalanceSection({ balance }: { balance: TrialBalance }) {
  const { currency, debit, credit, difference, accounts } = balance
  const money = (amount: string) => <Money value={{ amount, currency }} />
  return (
    <Section title={`Trial balance in ${currency}`}>
      <Table.ScrollContainer minWidth={480} type="native">
        <Table aria-label={`Trial balance in ${currency}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Code</Table.Th>
              <Table.Th>Type</Table.Th>
              <Table.Th ta="right">Debit</Table.Th>
              <Table.Th ta="right">Credit</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map((account) => (
              <Table.Tr key={account.code}>
                <Table.Td>{account.code}</Table.Td>
                <Table.Td>{readable(account.type)}</Table.Td>
                <Table.Td ta="right">{money(account.debit)}</Table.Td>
                <Table.Td ta="right">{money(account.credit)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th colSpan={2}>
                Total, difference <Money value={{ amount: difference, currency }} />
              </Table.Th>
              <Table.Th ta="right">{money(debit)}</Table.Th>
              <Table.Th ta="right">{money(credit)}</Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}
