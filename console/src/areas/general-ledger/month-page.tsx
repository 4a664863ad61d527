import { useParams } from '@tanstack/react-router'
import { useBusinessDate } from '../../app/environment.ts'
import { NotFound } from '../../app/faults.tsx'
import { useChangesOfType } from '../../graph/events.ts'
import { formatMonth } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Time } from '../../parts/values.tsx'
import { LedgerChecks } from './ledger-checks.tsx'
import { MonthBalances } from './month-balances.tsx'
import { MonthDownloads } from './month-downloads.tsx'
import { MonthSteps, ReopeningProposal } from './month-steps.tsx'
import { orderOf, yearsAround } from './period-order.ts'
import { PeriodState } from './period-state.tsx'
import {
  AccountingPeriodDocument,
  type AccountingPeriodPartsFragment,
} from './queries.generated.ts'
import { Revaluation } from './revaluation.tsx'

type Period = AccountingPeriodPartsFragment

/** An accounting period: its state, its revaluation, its balances, and the steps that close it. */
export function MonthPage() {
  const { accountingPeriodId } = useParams({ from: '/month-ends/$accountingPeriodId' })
  const [, year] = /^(\d{4})-\d\d$/.exec(accountingPeriodId) ?? []
  if (!year) return <NotFound />
  return (
    <Query query={AccountingPeriodDocument} variables={yearsAround(Number(year))}>
      {({ previousPeriods, accountingPeriods, nextPeriods }) => {
        const period = accountingPeriods?.find(
          (each) => each.accountingPeriodId === accountingPeriodId,
        )
        if (!period) return accountingPeriods && <NotFound />
        const around = [previousPeriods, accountingPeriods, nextPeriods].flatMap(
          (periods) => periods ?? [],
        )
        return <Month period={period} {...orderOf(period, around)} />
      }}
    </Query>
  )
}

interface MonthProps {
  period: Period
  isLaterClosed: boolean
  isNext: boolean
}

function Month({ period, isLaterClosed, isNext }: MonthProps) {
  const { accountingPeriodId, firstDay, lastDay, state, reopeningProposedBy } = period
  const today = useBusinessDate()
  useChangesOfType(['general-ledger.*'])
  const hasEnded = today !== undefined && lastDay < today
  return (
    <Page
      subject={`accounting-period/${accountingPeriodId}`}
      title={formatMonth(firstDay)}
      lead={<PeriodState value={state} />}
      actions={<MonthSteps {...{ period, hasEnded, isLaterClosed, isNext }} />}
    >
      {reopeningProposedBy !== null && <ReopeningProposal period={period} />}
      <Section title="Accounting period" description={aboutState(period, hasEnded)}>
        <Facts facts={factsOf(period)} />
      </Section>
      {state !== 'CLOSED' && hasEnded && <LedgerChecks />}
      <Revaluation period={period} hasEnded={hasEnded} />
      <MonthDownloads accountingPeriodId={accountingPeriodId} />
      <MonthBalances accountingPeriodId={accountingPeriodId} />
    </Page>
  )
}

function aboutState({ state }: Period, hasEnded: boolean): string {
  if (state === 'CLOSED') return 'Nothing is booked in the month any more.'
  if (state === 'SOFT_CLOSED')
    return 'Only journal entries are booked in the month. Other postings are shown in the next open one.'
  return hasEnded
    ? 'Postings whose value date is in the month are still booked in it.'
    : 'The month has not ended.'
}

const factsOf = (period: Period): Parameters<typeof Facts>[0]['facts'] => [
  ['First day', <Time key="first" value={period.firstDay} />],
  ['Last day', <Time key="last" value={period.lastDay} />],
  ['Last closed', <Time key="closed" value={period.closedAt} />],
  ['Closed by', period.closedBy],
  ['Times closed', period.closings],
  [
    'Fiscal year',
    <AppLink key="year" to="/month-ends" search={{ year: String(period.fiscalYear) }}>
      {period.fiscalYear}
    </AppLink>,
  ],
]
