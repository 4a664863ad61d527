import { Alert, List, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money } from '../../parts/values.tsx'
import { LedgerChecksDocument, type LedgerChecksQuery } from './queries.generated.ts'

type Finding = NonNullable<LedgerChecksQuery['generalLedgerFindings']>[number]
type Line = NonNullable<LedgerChecksQuery['ledgerReconciliation']>[number]

const amount = (name: 'generalLedger' | 'notDated' | 'ledger' | 'difference') => (line: Line) => (
  <Money value={{ amount: line[name], currency: line.currency }} />
)

const columns: readonly Column<Line>[] = [
  { title: 'Account', cell: ({ accountNumber }) => accountNumber },
  { title: 'General ledger', isNumeric: true, cell: amount('generalLedger') },
  { title: 'Not dated yet', isNumeric: true, cell: amount('notDated') },
  { title: 'Ledger', isNumeric: true, cell: amount('ledger') },
  { title: 'Difference', isNumeric: true, cell: amount('difference') },
]

/** Whatever stands against closing a month: violated rules, and accounts that differ from the ledger. */
export const LedgerChecks = () => (
  <Section
    title="Checks before closing"
    description="Resolve each finding before you close a month. Both checks read all entries."
  >
    <Query query={LedgerChecksDocument} variables={{}}>
      {({ generalLedgerFindings, ledgerReconciliation }) => (
        <Stack>
          {generalLedgerFindings && <Findings findings={generalLedgerFindings} />}
          {ledgerReconciliation && <Reconciliation lines={ledgerReconciliation} />}
        </Stack>
      )}
    </Query>
  </Section>
)

const Findings = ({ findings }: { findings: readonly Finding[] }) =>
  findings.length === 0 ? (
    <Alert color="teal" icon={<IconCircleCheck />} title="No findings">
      Every ledger account belongs to an account, closed months are unchanged, and revaluations are
      up to date.
    </Alert>
  ) : (
    <Alert color="red" icon={<IconAlertTriangle />} title="Findings">
      <List size="sm">
        {findings.map(({ kind, subject, detail }) => (
          <List.Item key={`${kind} ${subject} ${detail}`}>
            {readable(kind)}, {subject}: {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  )

function Reconciliation({ lines }: { lines: readonly Line[] }) {
  const different = lines.filter(({ difference }) => Number(difference) !== 0)
  if (different.length === 0) {
    return (
      <Alert
        color="teal"
        icon={<IconCircleCheck />}
        title="The general ledger agrees with the ledger"
      >
        {lines.length} balances were compared.
      </Alert>
    )
  }
  return (
    <RowTable
      label="Accounts that differ from the ledger"
      rows={different}
      columns={columns}
      keyOf={({ accountNumber, currency }) => `${accountNumber} ${currency}`}
    />
  )
}
