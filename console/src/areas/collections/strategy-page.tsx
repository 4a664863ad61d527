import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { formatMoney, readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { NextRun } from './next-run.tsx'
import {
  ApproveCollectionsStrategyDocument,
  CollectionsStrategyDocument,
  RejectCollectionsStrategyDocument,
  type CollectionsStrategyPartsFragment,
} from './queries.generated.ts'
import { scopeOf } from './strategy-values.ts'

type Strategy = CollectionsStrategyPartsFragment

const columns: readonly Column<Strategy['steps'][number]>[] = [
  { title: 'From day', isNumeric: true, cell: ({ fromDaysPastDue }) => fromDaysPastDue },
  { title: 'Step', cell: ({ code }) => code },
  { title: 'Action', cell: ({ action }) => readable(action) },
  { title: 'Template', cell: ({ templateCode }) => templateCode },
  { title: 'Channel', cell: ({ channel }) => channel && readable(channel) },
  { title: 'Priority', cell: ({ priority }) => priority && readable(priority) },
  { title: 'Routing profile', cell: ({ routingProfileId }) => routingProfileId },
]

/** A version of the steps by which arrears are pursued, and what it would do in the next run. */
export function StrategyPage() {
  const { collectionsStrategyId } = useParams({
    from: '/collections-strategies/$collectionsStrategyId',
  })
  return (
    <Query query={CollectionsStrategyDocument} variables={{ collectionsStrategyId }}>
      {({ collectionsStrategy: strategy }) =>
        strategy ? <Details strategy={strategy} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ strategy }: { strategy: Strategy }) {
  const { collectionsStrategyId, status, steps } = strategy
  useChanges([`collections-strategy/${collectionsStrategyId}`])
  return (
    <Page
      subject={`collections-strategy/${collectionsStrategyId}`}
      title={`Collections strategy: ${scopeOf(strategy).toLowerCase()}`}
      lead={<State value={status} />}
      actions={<Actions strategy={strategy} />}
    >
      <Section title="Strategy" description={strategy.reason}>
        <Facts
          facts={[
            ['Applies from', <Time key="from" value={strategy.effectiveFrom} />],
            ['Days between letters', strategy.daysBetweenLetters],
            ['Nothing is pursued below', strategy.minimumAmounts.map(formatMoney).join(', ')],
            ['Proposed by', strategy.proposedBy],
            ['Proposed', <Time key="proposed" value={strategy.createdAt} />],
            ['Decided by', strategy.decidedBy],
            ['Decided', <Time key="decided" value={strategy.decidedAt} />],
            ['ID', <Id key="id" value={collectionsStrategyId} />],
          ]}
        />
      </Section>
      <Section title="Steps">
        {steps.length === 0 ? (
          <Empty>This strategy has no steps, so nothing is pursued.</Empty>
        ) : (
          <RowTable label="Steps" rows={steps} columns={columns} keyOf={({ code }) => code} />
        )}
      </Section>
      {status !== 'REJECTED' && <NextRun collectionsStrategyId={collectionsStrategyId} />}
    </Page>
  )
}

function Actions({
  strategy: { collectionsStrategyId, status, proposedBy },
}: {
  strategy: Strategy
}) {
  const may = useMay()
  const { username } = useSession().person
  const step = { variables: { collectionsStrategyId } } as const
  const canDecide = may('collections:approve') && status === 'PROPOSED' && proposedBy !== username
  return (
    <>
      {may('collections:write') && (
        <LinkButton
          to="/collections-strategies/new"
          search={{ from: collectionsStrategyId }}
          variant="default"
        >
          New version
        </LinkButton>
      )}
      {canDecide && (
        <>
          <NotifyingButton
            {...step}
            id={`approve:${collectionsStrategyId}`}
            mutation={ApproveCollectionsStrategyDocument}
            done="Strategy approved"
          >
            Approve
          </NotifyingButton>
          <NotifyingButton
            {...step}
            variant="default"
            id={`reject:${collectionsStrategyId}`}
            mutation={RejectCollectionsStrategyDocument}
            done="Strategy rejected"
          >
            Reject
          </NotifyingButton>
        </>
      )}
    </>
  )
}
