import { Alert, Badge, Code, Group, List, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { formatMoney, readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
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
  const columns: readonly Column<(typeof accounts)[number]>[] = [
    { title: 'Account', cell: ({ code }) => readable(code) },
    { title: 'Type', cell: ({ type }) => readable(type) },
    { title: 'Debit', isNumeric: true, cell: (account) => money(account.debit) },
    { title: 'Credit', isNumeric: true, cell: (account) => money(account.credit) },
  ]
  return (
    <Section title={`Trial balance in ${currency}`}>
      <RowTable
        label={`Trial balance in ${currency}`}
        rows={accounts}
        columns={columns}
        keyOf={({ code }) => code}
        footer={[
          'Total',
          `Difference ${formatMoney({ amount: difference, currency })}`,
          money(debit),
          money(credit),
        ]}
      />
    </Section>
  )
}
