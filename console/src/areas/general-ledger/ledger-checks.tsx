import { useApolloClient } from '@apollo/client/react'
import { Alert, Button, List, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useEventFeed } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
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

/**
 * What has to be resolved before a month is closed: violated rules, and accounts that differ from the ledger.
 * Both checks read all entries, so they run only when somebody asks for them, and are not repeated when
 * the page is refreshed.
 */
export function LedgerChecks() {
  const { result, error, isRunning, run } = useLedgerChecks()
  return (
    <Section
      title="Checks before closing"
      description="Resolve each finding before you close a month. Both checks read all entries, which can take minutes."
      actions={
        <Button size="xs" variant="default" loading={isRunning} onClick={() => void run()}>
          Run the checks
        </Button>
      }
    >
      <Stack>
        {Boolean(error) && <ProblemAlert error={error} onRetry={() => void run()} />}
        {result?.generalLedgerFindings && <Findings findings={result.generalLedgerFindings} />}
        {result?.ledgerReconciliation && <Reconciliation lines={result.ledgerReconciliation} />}
        {!result && !error && <Empty>The checks were not run since the last change.</Empty>}
      </Stack>
    </Section>
  )
}

function useLedgerChecks() {
  const client = useApolloClient()
  const feed = useEventFeed()
  const [outcome, setOutcome] = useState<{ result?: LedgerChecksQuery; error?: unknown }>({})
  const [isRunning, setIsRunning] = useState(false)
  // What was found is out of date once something changed.
  useEffect(
    () => feed.follow({ types: ['general-ledger.*'], onEvent: () => setOutcome({}) }),
    [feed],
  )
  async function run() {
    setIsRunning(true)
    try {
      const { data, error } = await client.query({
        query: LedgerChecksDocument,
        fetchPolicy: 'no-cache',
        errorPolicy: 'all',
      })
      setOutcome({ ...(data && { result: data }), error })
    } catch (error) {
      setOutcome({ error })
    } finally {
      setIsRunning(false)
    }
  }
  return { ...outcome, isRunning, run }
}

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
