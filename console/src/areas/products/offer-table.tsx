import { useQuery } from '@apollo/client/react'
import { Group } from '@mantine/core'
import { formatRate } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { CommandButton } from '../../parts/command-button.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  AcceptOfferDocument,
  ProductOffersDocument,
  PublishOfferDocument,
  WithdrawOfferDocument,
  type ProductOffersQuery,
} from './queries.generated.ts'

type Offer = NonNullable<ProductOffersQuery['productOffers']>['nodes'][number]

const columns: readonly Column<Offer>[] = [
  { title: 'Offer', cell: ({ offerId }) => <Id value={offerId} /> },
  {
    title: 'Product',
    cell: ({ productId }) => (
      <AppLink to="/products/$productId" params={{ productId }}>
        {productId}
      </AppLink>
    ),
  },
  { title: 'Version', cell: ({ productVersion }) => productVersion },
  {
    title: 'For',
    cell: ({ customer }) =>
      customer?.party ? <CustomerLink party={customer.party} /> : 'Everyone',
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

interface OfferTableProps {
  filter: { productId?: string; customerId?: string }
  status?: string | undefined
  after?: string | undefined
  onPage?: (after: string | undefined) => void
  empty: string
}

/** Offers of a product or to a customer, with the steps that their status permits. */
export function OfferTable({ filter, status, after, onPage, empty }: OfferTableProps) {
  const { data, previousData, error, refetch } = useQuery(ProductOffersDocument, {
    variables: { ...filter, status: status ?? null, after: after ?? null },
  })
  return (
    <>
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Offers"
        connection={(data ?? previousData)?.productOffers}
        columns={columns}
        keyOf={({ offerId }) => offerId}
        after={after}
        {...(onPage && { onPage })}
        empty={empty}
      />
    </>
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
