import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { useMay } from '../../session/session.ts'
import { CampaignTable } from './campaign-table.tsx'
import type { CampaignStatus } from './queries.generated.ts'

const statuses: readonly CampaignStatus[] = ['ACTIVE', 'DRAFT', 'ENDED', 'WITHDRAWN']

/** The promotions of the bank, by status. */
export function CampaignsPage() {
  const { status = 'ALL', product, after } = useSearch({ from: '/campaigns' })
  const navigate = useNavigate({ from: '/campaigns' })
  useChangesOfType(['products.campaign.*'])
  const may = useMay()
  return (
    <Page
      title="Campaigns"
      lead="Promotions that lower a rate or waive fees for a while."
      actions={may('products:write') && <LinkButton to="/campaigns/new">New campaign</LinkButton>}
    >
      <SegmentedControl
        aria-label="Status"
        className="scrolling-x"
        data={['ALL', ...statuses].map((value) => ({ value, label: readable(value) }))}
        value={status}
        onChange={(value) => void navigate({ search: { status: value } })}
      />
      <CampaignTable
        status={status === 'ALL' ? undefined : (status as CampaignStatus)}
        productId={product}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
      />
    </Page>
  )
}
