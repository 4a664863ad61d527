import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { ContractLink } from './contract-columns.tsx'
import { NextStep } from './next-step.tsx'
import { CollectionsEpisodeDocument, type CollectionsEpisodeQuery } from './queries.generated.ts'
import { stepColumns } from './step-columns.tsx'

type Episode = NonNullable<CollectionsEpisodeQuery['collectionsEpisode']>

/** One time that a contract is in arrears, with the steps that the bank has taken. */
export function EpisodePage() {
  const { collectionsEpisodeId } = useParams({ from: '/collections/$collectionsEpisodeId' })
  return (
    <Query query={CollectionsEpisodeDocument} variables={{ collectionsEpisodeId }}>
      {({ collectionsEpisode: episode }) =>
        episode ? <Details episode={episode} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ episode }: { episode: Episode }) {
  const { collectionsEpisodeId, party, status, steps } = episode
  useChanges([`collections-episode/${collectionsEpisodeId}`])
  const canWrite = useMay()('collections:write')
  return (
    <Page
      subject={`collections-episode/${collectionsEpisodeId}`}
      title={party ? `Arrears of ${party.displayName}` : 'Arrears'}
      lead={<State value={status} />}
    >
      <Section title="Arrears">
        <Facts facts={factsOf(episode)} />
      </Section>
      <Section
        title="Steps"
        description="Each step is taken at most once until the arrears are paid."
      >
        {steps?.length ? (
          <RowTable
            label="Steps"
            rows={steps}
            columns={stepColumns(canWrite)}
            keyOf={({ collectionsStepId }) => collectionsStepId}
          />
        ) : (
          <Empty>No step was decided yet.</Empty>
        )}
      </Section>
    </Page>
  )
}

function factsOf(episode: Episode): Parameters<typeof Facts>[0]['facts'] {
  const { party, strategy, case: opened, pauseReason, closeReason } = episode
  return [
    ['Customer', party && <CustomerLink key="customer" party={party} />],
    ['Contract', <ContractLink key="contract" contract={episode} />],
    ['Amount', <Money key="amount" value={episode.arrears} />],
    ['Days past due', episode.daysPastDue],
    ['Past due since', <Time key="since" value={episode.pastDueSince} />],
    ['As of', <Time key="as-of" value={episode.evaluatedOn} />],
    ['Pursued from', <Time key="opened" value={episode.openedOn} />],
    ['Paused for', pauseReason && readable(pauseReason)],
    ['Paused until', <Time key="paused" value={episode.pausedUntil} />],
    ['Next step', <NextStep key="next" step={episode.nextStep} />],
    [
      'Case',
      opened && (
        <AppLink key="case" to="/cases/$caseId" params={{ caseId: opened.caseId }}>
          {readable(opened.status)}
        </AppLink>
      ),
    ],
    ['Closed', <Time key="closed" value={episode.closedOn} />],
    ['Why it was closed', closeReason && readable(closeReason)],
    [
      'Strategy',
      strategy && (
        <AppLink
          key="strategy"
          to="/collections-strategies/$collectionsStrategyId"
          params={{ collectionsStrategyId: strategy.collectionsStrategyId }}
        >
          {strategy.collectionsStrategyId}
        </AppLink>
      ),
    ],
    ['ID', <Id key="id" value={episode.collectionsEpisodeId} />],
  ]
}
