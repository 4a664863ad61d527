import { Group, Stack, Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Id, State } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { CampaignTable } from './campaign-table.tsx'
import { OffersSection } from './offers-section.tsx'
import { QuoteSection } from './quote-section.tsx'
import { ProductVersionsDocument, type VersionPartsFragment } from './queries.generated.ts'
import { SelfServiceSection } from './self-service-section.tsx'
import { VersionSection } from './version-section.tsx'
import { VersionsComparison } from './versions-comparison.tsx'
import { isDepositClass } from './product-classes.ts'
import './products.css'

/** A product: its versions, what it costs, its offers and its campaigns. */
export function ProductPage() {
  const { productId } = useParams({ from: '/products/$productId' })
  return (
    <Query query={ProductVersionsDocument} variables={{ productId }}>
      {({ products }) =>
        products && products.nodes.length > 0 ? (
          <Details key={productId} versions={products.nodes.toReversed()} />
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

/** `versions` begins with the newest one. */
function Details({ versions }: { versions: readonly VersionPartsFragment[] }) {
  const { tab = 'versions', version } = useSearch({ from: '/products/$productId' })
  const navigate = useNavigate({ from: '/products/$productId' })
  const may = useMay()
  const shown =
    versions.find((each) => each.version === version) ??
    versions.find(({ status }) => status === 'ACTIVE') ??
    versions[0]!
  const { productId } = shown
  const isDeposit = isDepositClass(shown.productClass)
  useChanges([`product/${productId}`])
  return (
    <Page
      subject={`product/${productId}`}
      title={shown.name}
      lead={
        <Group gap="sm">
          <span>{readable(shown.productClass)}</span>
          <State value={shown.status} />
          <Id value={productId} />
        </Group>
      }
      actions={
        may('products:write') && (
          <LinkButton to="/products/new" search={{ from: `${productId} ${shown.version}` }}>
            New version
          </LinkButton>
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({ search: (old) => ({ version: old.version, tab: value ?? undefined }) })
        }
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          {may('offers:read') && <Tabs.Tab value="quote">Price</Tabs.Tab>}
          {may('offers:read') && <Tabs.Tab value="offers">Offers</Tabs.Tab>}
          <Tabs.Tab value="campaigns">Campaigns</Tabs.Tab>
          {isDeposit && <Tabs.Tab value="self-service">Self-service</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="versions">
          <Stack gap="lg">
            <VersionSection version={shown} versions={versions} />
            <VersionsComparison versions={versions} shown={shown} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="quote">
          <QuoteSection version={shown} versions={versions} />
        </Tabs.Panel>
        <Tabs.Panel value="offers">
          <OffersSection productId={productId} />
        </Tabs.Panel>
        <Tabs.Panel value="campaigns">
          <CampaignTable productId={productId} />
        </Tabs.Panel>
        <Tabs.Panel value="self-service">
          <SelfServiceSection productId={productId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
