import { Group, Stack, Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useBusinessDate } from '../../app/environment.ts'
import { useChangesOfType } from '../../graph/events.ts'
import { dayBefore } from '../../parts/days.ts'
import { formatMonth } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Lines, Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { JournalEntriesTab } from './journal-entries-tab.tsx'
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

/** The accounting periods of a year with the checks before closing one, and the journal entries. */
export function MonthsPage() {
  const { year, tab = 'months' } = useSearch({ from: '/month-ends' })
  const navigate = useNavigate({ from: '/month-ends' })
  const today = useBusinessDate()
  const canWrite = useMay()('accounting:write')
  useChangesOfType(['general-ledger.*'])
  // In January, there is still the last month of the former year to close.
  const lastMonth = today && dayBefore(`${today.slice(0, 7)}-01`, 1)
  const fiscalYear = Number(year ?? lastMonth?.slice(0, 4))
  return (
    <Page
      title="Month ends"
      lead="The accounting periods of the general ledger, and adjustments of them."
      actions={canWrite && <LinkButton to="/journal-entries/new">New journal entry</LinkButton>}
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => value && void navigate({ search: { tab: value } })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="months">Months</Tabs.Tab>
          <Tabs.Tab value="entries">Journal entries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="months">
          <Stack gap="lg">
            {fiscalYear ? <Months fiscalYear={fiscalYear} /> : <Lines />}
            <LedgerChecks />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <JournalEntriesTab />
        </Tabs.Panel>
      </Tabs>
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
