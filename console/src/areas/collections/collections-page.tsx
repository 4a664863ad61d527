import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LinkButton } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { useMay } from '../../session/session.ts'
import { EpisodesTab } from './episodes-tab.tsx'
import { NextRun } from './next-run.tsx'
import { StrategiesTab } from './strategies-tab.tsx'

/** The arrears that the bank pursues, the steps that come next, and the strategies behind them. */
export function CollectionsPage() {
  const { tab = 'arrears' } = useSearch({ from: '/collections' })
  const navigate = useNavigate({ from: '/collections' })
  const may = useMay()
  return (
    <Page
      title="Collections"
      lead="Letters and cases for loans and overdrafts that are past due."
      actions={
        may('collections:write') && (
          <LinkButton to="/collections-strategies/new">New strategy</LinkButton>
        )
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => value && void navigate({ search: { tab: value } })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="arrears">Pursued</Tabs.Tab>
          <Tabs.Tab value="next">Next run</Tabs.Tab>
          <Tabs.Tab value="strategies">Strategies</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="arrears">
          <EpisodesTab />
        </Tabs.Panel>
        <Tabs.Panel value="next">
          <NextRun collectionsStrategyId={null} />
        </Tabs.Panel>
        <Tabs.Panel value="strategies">
          <StrategiesTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
