import { useQuery } from '@apollo/client/react'
import { Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatRate, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { CommandButton } from '../../parts/command-button.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  AcceptOfferDocument,
  ProductOffersDocument,
  PublishOfferDocument,
  WithdrawOfferDocument,
  type OfferStatus,
  type ProductOffersQuery,
} from './queries.generated.ts'

type Offer = NonNullable<ProductOffersQuery['productOffers']>['nodes'][number]

const statuses: readonly OfferStatus[] = ['DRAFT', 'ACTIVE', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN']

const columns: readonly Column<Offer>[] = [
  { title: 'Offer', cell: ({ offerId }) => <Id value={offerId} /> },
  { title: 'Version', cell: ({ productVersion }) => productVersion },
  {
    title: 'For',
    cell: ({ customer }) =>
      customer?.party ? (
        <AppLink to="/customers/$partyId" params={{ partyId: customer.partyId }}>
          {customer.party.displayName}
        </AppLink>
      ) : (
        'Everyone'
      ),
  },
  { title: 'Channel', cell: ({ channel }) => channel ?? <Missing /> },
  {
    title: 'Rate',
    isNumeric: true,
    cell: ({ headline: { ratePct } }) => (ratePct ? formatRate(ratePct) : <Missing />),
  },
  { title: 'Valid until', cell: ({ validTo }) => <Time value={validTo} /> },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Steps', cell: (offer) => <Steps offer={offer} /> },
]

/** The offers of a product, by status. */
export function OffersSection({ productId }: { productId: string }) {
  const { status = 'ALL', after } = useSearch({ from: '/products/$productId' })
  const navigate = useNavigate({ from: '/products/$productId' })
  const { data, previousData, error, refetch } = useQuery(ProductOffersDocument, {
    variables: { productId, status: status === 'ALL' ? null : status, after: after ?? null },
  })
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
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <ConnectionTable
        label="Offers"
        connection={(data ?? previousData)?.productOffers}
        columns={columns}
        keyOf={({ offerId }) => offerId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="There is no such offer. Calculate a price, save the quote, and make an offer from it."
      />
    </Section>
  )
}

function Steps({ offer: { offerId, status, customerId } }: { offer: Offer }) {
  const may = useMay()
  const variables = { offerId }
  return (
    <Group gap="xs" wrap="nowrap">
      {status === 'DRAFT' && may('products:write') && (
        <CommandButton
          id={`publish:${offerId}`}
          mutation={PublishOfferDocument}
          variables={variables}
          size="xs"
        >
          Publish
        </CommandButton>
      )}
      {status === 'ACTIVE' && customerId && may('accounts:write') && (
        <CommandButton
          id={`accept:${offerId}`}
          mutation={AcceptOfferDocument}
          variables={variables}
          size="xs"
          variant="default"
        >
          Accept for the customer
        </CommandButton>
      )}
      {status === 'ACTIVE' && may('products:write') && (
        <CommandButton
          id={`withdraw:${offerId}`}
          mutation={WithdrawOfferDocument}
          variables={variables}
          size="xs"
          variant="default"
        >
          Withdraw<span className="visually-hidden"> {offerId}</span>
        </CommandButton>
      )}
    </Group>
  )
}
