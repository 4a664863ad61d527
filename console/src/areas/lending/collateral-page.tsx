import { Alert, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { formatRate, readable } from '../../parts/format.ts'
import { Empty, Figure, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { AmountBar, type BarPart } from './amount-bar.tsx'
import type { Collateral } from './collateral.ts'
import { CollateralActions } from './collateral-actions.tsx'
import { difference } from './amounts.ts'
import { FacilityLink } from './facility-link.tsx'
import { CollateralDocument, DeallocateCollateralDocument } from './queries.generated.ts'

/** An asset that secures facilities: what it is worth, and what of it is allocated. */
export function CollateralPage() {
  const { collateralId } = useParams({ from: '/collateral/$collateralId' })
  return (
    <Query query={CollateralDocument} variables={{ collateralId }}>
      {({ collateral }) =>
        collateral ? <CollateralDetails collateral={collateral} /> : <NotFound />
      }
    </Query>
  )
}

function CollateralDetails({ collateral }: { collateral: Collateral }) {
  const { collateralId, description, collateralType, status, missing, lapsed } = collateral
  useChanges([`collateral/${collateralId}`])
  return (
    <Page
      subject={`collateral/${collateralId}`}
      title={description ?? readable(collateralType)}
      lead={
        <Group gap="sm">
          <span>{readable(collateralType)}</span>
          <State value={status} />
        </Group>
      }
      actions={<CollateralActions collateral={collateral} />}
    >
      {(missing.length > 0 || lapsed.length > 0) && (
        <Alert color="yellow" title="Needs attention">
          {[
            missing.length > 0 && `Missing: ${missing.map(readable).join(', ')}`,
            lapsed.length > 0 && `Lapsed: ${lapsed.map(readable).join(', ')}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Alert>
      )}
      <div className="figures">
        <Figure
          name="Market value"
          value={<Money value={collateral.valuation?.marketValue} />}
          hint={collateral.valuation && <Time value={collateral.valuation.valuationDate} />}
        />
        <Figure
          name="Lendable value"
          value={<Money value={collateral.lendableValue} />}
          hint={`after a haircut of ${formatRate(collateral.haircutPct)}`}
        />
        <Figure name="Allocated" value={<Money value={collateral.allocatedValue} />} />
        <Figure name="Free" value={<Money value={collateral.freeValue} />} />
      </div>
      <ValuePicture collateral={collateral} />
      <Allocations collateral={collateral} />
      <Valuations collateral={collateral} />
      <CollateralFacts collateral={collateral} />
    </Page>
  )
}

/** How the market value divides: what is deducted, what is allocated and what is free. */
function ValuePicture({ collateral }: { collateral: Collateral }) {
  const { valuation, lendableValue, allocatedValue, freeValue } = collateral
  if (!valuation || !lendableValue || !allocatedValue || !freeValue) return null
  const parts: BarPart[] = [
    { name: 'Allocated', value: allocatedValue, look: 'used' },
    { name: 'Free', value: freeValue, look: 'available' },
    {
      name: 'Haircut and prior liens',
      value: difference(valuation.marketValue, lendableValue),
      look: 'reduced',
    },
  ]
  return (
    <Section title="Coverage" description="How the market value divides.">
      <AmountBar label="Division of the market value" total={valuation.marketValue} parts={parts} />
    </Section>
  )
}

function Allocations({ collateral: { collateralId, links } }: { collateral: Collateral }) {
  const canWrite = useMay()('collateral:write')
  return (
    <Section title="Secured facilities">
      {links.length === 0 && <Empty>It secures no facility yet. Allocate it to one.</Empty>}
      <Stack gap="lg">
        {links.map(({ facilityId, facility, rank, allocated, isCovering }) => (
          <Stack key={facilityId} gap="xs">
            <Group gap="sm">
              {facility ? <FacilityLink facility={facility} name={facilityId} /> : facilityId}
              <Text size="sm">
                Rank {rank} · <Money value={allocated} /> {isCovering ? '' : '· does not count yet'}
              </Text>
              {canWrite && (
                <NotifyingButton
                  id={`deallocate:${collateralId}:${facilityId}`}
                  mutation={DeallocateCollateralDocument}
                  variables={{ collateralId, facilityId }}
                  done="Allocation removed"
                  variant="default"
                  size="compact-xs"
                >
                  Remove
                </NotifyingButton>
              )}
            </Group>
            {facility?.coverage && Number(facility.coverage.required.amount) > 0 && (
              <AmountBar
                label={`Coverage of ${facilityId}`}
                total={facility.coverage.required}
                parts={[
                  { name: 'Covered', value: facility.coverage.allocated, look: 'used' },
                  { name: 'Missing', value: facility.coverage.shortfall, look: 'reduced' },
                ]}
              />
            )}
          </Stack>
        ))}
      </Stack>
    </Section>
  )
}

function Valuations({ collateral: { valuations } }: { collateral: Collateral }) {
  const rows = [...(valuations?.nodes ?? [])].reverse()
  return (
    <Section title="Valuations">
      {rows.length === 0 && <Empty>There is no valuation yet.</Empty>}
      {rows.length > 0 && (
        <RowTable
          label="Valuations"
          rows={rows}
          columns={valuationColumns}
          keyOf={({ number }) => String(number)}
        />
      )}
    </Section>
  )
}

type Valuation = NonNullable<Collateral['valuations']>['nodes'][number]

const valuationColumns: readonly Column<Valuation>[] = [
  { title: 'Date', cell: ({ valuationDate }) => <Time value={valuationDate} /> },
  { title: 'Method', cell: ({ method }) => readable(method) },
  { title: 'Valuer', cell: ({ valuer }) => valuer },
  {
    title: 'Market value',
    isNumeric: true,
    cell: ({ marketValue }) => <Money value={marketValue} />,
  },
]

function CollateralFacts({ collateral }: { collateral: Collateral }) {
  const { owners, perfection, insurance, identifiers } = collateral
  return (
    <Section title="Details">
      <Facts
        facts={[
          [
            'Owners',
            owners
              .map(
                ({ party, partyId, sharePct }) =>
                  `${party?.displayName ?? partyId} (${formatRate(sharePct)})`,
              )
              .join(', '),
          ],
          ['Prior liens', <Money key="liens" value={collateral.priorLiens} />],
          ['Registered at', perfection?.registry],
          ['Perfected', <Time key="perfected" value={perfection?.perfectedOn} />],
          ['Insured with', insurance?.insurer],
          ['Insured until', <Time key="insured" value={insurance?.expiresOn} />],
          [
            'Next valuation due',
            <Time key="next" value={collateral.valuation?.nextRevaluationDue} />,
          ],
          [
            'Identifiers',
            identifiers.map(({ scheme, value }) => `${readable(scheme)}: ${value}`).join(', '),
          ],
          ['ID', <Id key="id" value={collateral.collateralId} />],
        ]}
      />
    </Section>
  )
}
