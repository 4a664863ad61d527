import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { OfferTable } from './offer-table.tsx'
import type { OfferStatus } from './queries.generated.ts'

const statuses: readonly OfferStatus[] = ['DRAFT', 'ACTIVE', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN']

/** The offers of a product, by status. */
export function OffersSection({ productId }: { productId: string }) {
  const { status = 'ALL', after } = useSearch({ from: '/products/$productId' })
  const navigate = useNavigate({ from: '/products/$productId' })
  return (
    <Section title="Offers" description="An offer is made from a saved quote: see the tab Price.">
      <SegmentedControl
        aria-label="Status"
        className="scrolling-x"
        mb="md"
        data={['ALL', ...statuses].map((value) => ({ value, label: readable(value) }))}
        value={status}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, status: value, after: undefined }) as never })
        }
      />
      <OfferTable
        filter={{ productId }}
        status={status === 'ALL' ? undefined : status}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="There is no such offer. Calculate a price, save the quote, and make an offer from it."
      />
    </Section>
  )
}
