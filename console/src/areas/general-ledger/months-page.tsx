import { Group } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useBusinessDate } from '../../app/environment.ts'
import { useChangesOfType } from '../../graph/events.ts'
import { formatMonth } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Lines, Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { LedgerChecks } from './ledger-checks.tsx'
import { PeriodState } from './period-state.tsx'
import {
  AccountingPeriodsDocument,
  type AccountingPeriodPartsFragment,
} from './queries.generated.ts'

const columns: readonly Column<AccountingPeriodPartsFragment>[] = [
  {
    title: 'Month',
    cell: ({ accountingPeriodId, firstDay }) => (
      <AppLink to="/month-ends/$accountingPeriodId" params={{ accountingPeriodId }}>
        {formatMonth(firstDay)}
      </AppLink>
    ),
  },
  { title: 'State', cell: ({ state }) => <PeriodState value={state} /> },
  { title: 'Last closed', cell: ({ closedAt }) => <Time value={closedAt} /> },
  { title: 'Closed by', cell: ({ closedBy }) => closedBy },
  {
    title: 'Reopening',
    cell: ({ reopeningProposedBy: person }) => person && `Proposed by ${person}`,
  },
]

/** The accounting periods of a year, and whether anything stands against closing one. */
export function MonthsPage() {
  const { year } = useSearch({ from: '/month-ends' })
  const today = useBusinessDate()
  useChangesOfType(['general-ledger.*'])
  const fiscalYear = Number(year ?? today?.slice(0, 4))
  return (
    <Page title="Month ends" lead="The accounting periods of the general ledger.">
      {fiscalYear ? <Months fiscalYear={fiscalYear} /> : <Lines />}
      <LedgerChecks />
    </Page>
  )
}

function Months({ fiscalYear }: { fiscalYear: number }) {
  return (
    <Section
      title={`Accounting periods of ${fiscalYear}`}
      description="Months are closed in their order. The first one that is closed closes all earlier ones."
      actions={
        <Group gap="xs">
          {[fiscalYear - 1, fiscalYear + 1].map((each) => (
            <LinkButton
              key={each}
              to="/month-ends"
              search={{ year: String(each) }}
              size="xs"
              variant="default"
            >
              {each}
            </LinkButton>
          ))}
        </Group>
      }
    >
      <Query query={AccountingPeriodsDocument} variables={{ fiscalYear }}>
        {({ accountingPeriods }) =>
          accountingPeriods && (
            <RowTable
              label="Accounting periods"
              rows={accountingPeriods}
              columns={columns}
              keyOf={({ accountingPeriodId }) => accountingPeriodId}
            />
          )
        }
      </Query>
    </Section>
  )
}
