import { Group, List, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { formatRate } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  ActivateCampaignDocument,
  CampaignDocument,
  EndCampaignDocument,
  WithdrawCampaignDocument,
  type CampaignPartsFragment,
} from './queries.generated.ts'

/** A campaign: what it gives, to whom, and its lifecycle. */
export function CampaignPage() {
  const { campaignId } = useParams({ from: '/campaigns/$campaignId' })
  return (
    <Query query={CampaignDocument} variables={{ campaignId }}>
      {({ campaign }) => (campaign ? <Details campaign={campaign} /> : <NotFound />)}
    </Query>
  )
}

function Details({ campaign }: { campaign: CampaignPartsFragment }) {
  const { campaignId, name, description, status, productIds, segments } = campaign
  const { discountPct, waivedFees, validFrom, validTo } = campaign
  useChanges([`campaign/${campaignId}`])
  return (
    <Page
      subject={`campaign/${campaignId}`}
      title={name}
      lead={
        <Group gap="sm">
          <State value={status} />
          <Id value={campaignId} />
        </Group>
      }
      actions={<Steps campaign={campaign} />}
    >
      <Stack gap="lg">
        <Section title="What it gives" description={description}>
          <Facts
            facts={[
              ['From', <Time key="from" value={validFrom} />],
              ['Until', <Time key="until" value={validTo} />],
              ['Discount on the rate', discountPct && formatRate(discountPct)],
              ['Waived fees', waivedFees.join(', ')],
              ['Segments', segments.length > 0 ? segments.join(', ') : 'All customers'],
            ]}
          />
        </Section>
        <Section title="Products">
          <List listStyleType="none">
            {productIds.map((productId) => (
              <List.Item key={productId}>
                <AppLink to="/products/$productId" params={{ productId }}>
                  {productId}
                </AppLink>
              </List.Item>
            ))}
          </List>
        </Section>
      </Stack>
    </Page>
  )
}

function Steps({ campaign: { campaignId, status } }: { campaign: CampaignPartsFragment }) {
  const may = useMay()
  if (!may('products:write')) return null
  const variables = { campaignId }
  return (
    <>
      {status === 'DRAFT' && (
        <CommandButton
          id={`activate:${campaignId}`}
          mutation={ActivateCampaignDocument}
          variables={variables}
        >
          Activate
        </CommandButton>
      )}
      {status === 'ACTIVE' && (
        <CommandButton
          id={`end:${campaignId}`}
          mutation={EndCampaignDocument}
          variables={variables}
          variant="default"
        >
          End early
        </CommandButton>
      )}
      {(status === 'DRAFT' || status === 'ACTIVE') && (
        <CommandButton
          id={`withdraw:${campaignId}`}
          mutation={WithdrawCampaignDocument}
          variables={variables}
          color="red.9"
        >
          Withdraw
        </CommandButton>
      )}
    </>
  )
}
