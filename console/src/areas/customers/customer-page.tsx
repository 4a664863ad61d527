import { Group, Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Id, State } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { DocumentList } from '../casework/document-list.tsx'
import { CustomerOffers } from '../products/customer-offers.tsx'
import { CustomerCases, CustomerContacts, CustomerMessages } from './customer-records.tsx'
import { CustomerEntitlements } from './customer-entitlements.tsx'
import { CustomerOverview } from './customer-overview.tsx'
import { CustomerTimeline } from './customer-timeline.tsx'
import type { Party } from './party.ts'
import { CustomerDocument } from './queries.generated.ts'

const tabs = [
  ['overview', 'Overview', 'parties:read'],
  ['cases', 'Cases', 'cases:read'],
  ['documents', 'Documents', 'cases:read'],
  ['contacts', 'Contacts', 'cases:read'],
  ['offers', 'Offers', 'offers:read'],
  ['messages', 'Messages', 'notifications:read'],
  ['rights', 'Rights', 'parties:read'],
  ['timeline', 'Timeline', 'events:read'],
] as const

/** Everything the bank knows about a customer, as far as the employee may see it. */
export function CustomerPage() {
  const { partyId } = useParams({ from: '/customers/$partyId' })
  const may = useMay()
  const variables = {
    partyId,
    withAccounts: may('accounts:read'),
    withLoans: may('lending:read'),
    withAgreements: may('agreements:read'),
  }
  return (
    <Query query={CustomerDocument} variables={variables}>
      {({ party }) => (party ? <Details key={partyId} party={party} /> : <NotFound />)}
    </Query>
  )
}

function Details({ party }: { party: Party }) {
  const { partyId, displayName, status, customers } = party
  const { tab = 'overview' } = useSearch({ from: '/customers/$partyId' })
  const navigate = useNavigate({ from: '/customers/$partyId' })
  const may = useMay()
  const subjects = [
    `party/${partyId}`,
    ...(customers ?? []).map(({ customerId }) => `customer/${customerId}`),
  ]
  useChanges(subjects)
  return (
    <Page
      subject={`party/${partyId}`}
      title={displayName}
      lead={
        <Group gap="sm">
          <State value={status} />
          <Id value={partyId} />
        </Group>
      }
    >
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs
            .filter(([, , scope]) => may(scope))
            .map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <CustomerOverview party={party} />
        </Tabs.Panel>
        <Tabs.Panel value="cases">
          <CustomerCases partyId={partyId} />
        </Tabs.Panel>
        <Tabs.Panel value="documents">
          <DocumentList partyId={partyId} />
        </Tabs.Panel>
        <Tabs.Panel value="contacts">
          <CustomerContacts partyId={partyId} />
        </Tabs.Panel>
        <Tabs.Panel value="offers">
          <CustomerOffers customers={customers ?? []} />
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <CustomerMessages partyId={partyId} />
        </Tabs.Panel>
        <Tabs.Panel value="rights">
          <CustomerEntitlements party={party} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <CustomerTimeline subjects={subjects} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
