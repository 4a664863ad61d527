import { useQuery } from '@apollo/client/react'
import { formatRate } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  CampaignsDocument,
  type CampaignPartsFragment,
  type CampaignStatus,
} from './queries.generated.ts'

const columns: readonly Column<CampaignPartsFragment>[] = [
  {
    title: 'Campaign',
    cell: ({ campaignId, name }) => (
      <AppLink to="/campaigns/$campaignId" params={{ campaignId }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'From', cell: ({ validFrom }) => <Time value={validFrom} /> },
  { title: 'Until', cell: ({ validTo }) => <Time value={validTo} /> },
  {
    title: 'Discount',
    isNumeric: true,
    cell: ({ discountPct }) => (discountPct ? formatRate(discountPct) : <Missing />),
  },
  { title: 'Waived fees', cell: ({ waivedFees }) => waivedFees.join(', ') || <Missing /> },
]

interface CampaignTableProps {
  productId?: string | undefined
  status?: CampaignStatus | undefined
  after?: string | undefined
  onPage?: (after: string | undefined) => void
}

/** Campaigns, of one product or of all. */
export function CampaignTable({ productId, status, after, onPage }: CampaignTableProps) {
  const { data, previousData, error, refetch } = useQuery(CampaignsDocument, {
    variables: { productId: productId ?? null, status: status ?? null, after: after ?? null },
  })
  const may = useMay()
  return (
    <Section
      title={productId ? 'Campaigns of this product' : 'Campaigns'}
      actions={
        productId &&
        may('products:write') && (
          <LinkButton to="/campaigns/new" search={{ product: productId }} size="xs" variant="light">
            New campaign
          </LinkButton>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Campaigns"
        connection={(data ?? previousData)?.campaigns}
        columns={columns}
        keyOf={({ campaignId }) => campaignId}
        after={after}
        {...(onPage && { onPage })}
        empty={
          may('products:write')
            ? 'There is no such campaign. Create one to lower a rate or waive fees for a while.'
            : 'There is no such campaign.'
        }
      />
    </Section>
  )
}
