import { Alert, Stack, Text } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Money } from '../../parts/values.tsx'
import { CoverageDocument } from './queries.generated.ts'
import { AmountBar } from './amount-bar.tsx'

/** The collateral of a facility and how much of what is required it covers; nothing without any. */
export function FacilityCoverage({ facilityId }: { facilityId: string }) {
  return (
    <Query query={CoverageDocument} variables={{ facilityId }} skeleton={<></>}>
      {({ facility }) => {
        const collaterals = facility?.collaterals?.nodes ?? []
        const coverage = facility?.coverage
        if (!coverage) return null
        const { allocated, required, shortfall } = coverage
        if (collaterals.length === 0 && Number(required.amount) === 0) return null
        const isShort = Number(shortfall.amount) > 0
        const total = Number(allocated.amount) > Number(required.amount) ? allocated : required
        return (
          <Section
            title="Collateral"
            description={
              <>
                Required: <Money value={required} />
              </>
            }
          >
            <Stack>
              <AmountBar
                label="Coverage"
                total={total}
                parts={[
                  { name: 'Allocated', value: allocated, look: 'used' },
                  { name: 'Missing', value: shortfall, look: 'reduced' },
                ]}
              />
              {isShort && (
                <Alert color="red" title="The collateral does not cover what is required">
                  <Money value={shortfall} /> is missing.
                </Alert>
              )}
              {collaterals.map(({ collateralId, description, collateralType }) => (
                <Text key={collateralId}>
                  <AppLink to="/collateral/$collateralId" params={{ collateralId }}>
                    {description ?? readable(collateralType)}
                  </AppLink>
                </Text>
              ))}
            </Stack>
          </Section>
        )
      }}
    </Query>
  )
}
