import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { useMay } from '../../session/session.ts'
import { AgentsTab } from './agents-tab.tsx'
import { ChannelsTab } from './channels-tab.tsx'
import { ProfilesTab } from './profiles-tab.tsx'
import { QueuesTab } from './queues-tab.tsx'

const tabs = [
  ['queues', 'Queues', QueuesTab],
  ['agents', 'Agents', AgentsTab],
  ['profiles', 'Routing profiles', ProfilesTab],
  ['channels', 'Channels', ChannelsTab],
] as const

/** What waits for whom, who is there, and how customers reach the bank. */
export function ContactCenterPage() {
  const { tab = 'queues' } = useSearch({ from: '/contact-center' })
  const navigate = useNavigate({ from: '/contact-center' })
  const may = useMay()
  useChangesOfType(['channels.*'])
  return (
    <Page
      title="Contact center"
      lead="What waits, who is there, and how customers reach the bank."
      actions={may('cases:write') && <LinkButton to="/interactions/new">New contact</LinkButton>}
    >
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([value, , Content]) => (
          <Tabs.Panel key={value} value={value}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
