import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { formatDate, formatRate, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import { FiguresComparison } from './figures-comparison.tsx'
import { ResetLetters } from './reset-letters.tsx'
import { RateResetPreviewDocument, type FacilityDetailsQuery } from './queries.generated.ts'

type Facility = NonNullable<FacilityDetailsQuery['facility']>
type Terms = NonNullable<Facility['floatingRate']>
type Reset = NonNullable<Facility['rateResets']>[number]

const columns: readonly Column<Reset>[] = [
  { title: 'Reset on', cell: ({ resetOn }) => <Time value={resetOn} /> },
  { title: 'From', cell: ({ effectiveFrom }) => <Time value={effectiveFrom} /> },
  { title: 'Fixing of', cell: ({ fixedOn }) => <Time value={fixedOn} /> },
  {
    title: 'Reference rate',
    isNumeric: true,
    cell: ({ fixingPct }) => formatRate(fixingPct),
  },
  {
    title: 'Former rate',
    isNumeric: true,
    cell: ({ previousRatePct }) => formatRate(previousRatePct),
  },
  { title: 'Rate', isNumeric: true, cell: ({ ratePct }) => formatRate(ratePct) },
  { title: 'Letters', cell: ({ letters }) => <ResetLetters letters={letters ?? []} /> },
]

/** How the rate of a facility follows a reference rate; nothing if it is fixed. */
export function FloatingRate({ facility }: { facility: Facility }) {
  const { facilityId, floatingRate } = facility
  if (!floatingRate) return null
  const { nextResetOn, isOverdue } = floatingRate
  const resets = facility.rateResets ?? []
  return (
    <Section title="Reference rate" description={describe(floatingRate)}>
      <Stack>
        {isOverdue && nextResetOn && (
          <Alert color="yellow" title="A reset waits for its fixing">
            The rate should have been reset on {formatDate(nextResetOn)}. It stays the same until a
            fixing of the reference rate is recorded.
          </Alert>
        )}
        <TermFacts terms={floatingRate} />
        {resets.length > 0 && (
          <RowTable
            label="Resets of the rate"
            rows={resets}
            columns={columns}
            keyOf={({ resetOn }) => resetOn}
          />
        )}
        {nextResetOn && <NextReset facilityId={facilityId} terms={floatingRate} />}
      </Stack>
    </Section>
  )
}

function TermFacts({ terms: { referenceRate: rate, nextResetOn } }: { terms: Terms }) {
  const isEmployee = useSession().person.partyId === null
  const latest = rate?.latestFixing
  const name = rate?.name ?? rate?.referenceRateId
  return (
    <Facts
      facts={[
        [
          'Reference rate',
          isEmployee && rate ? (
            <AppLink
              key="rate"
              to="/reference-rates/$referenceRateId"
              params={{ referenceRateId: rate.referenceRateId }}
            >
              {name}
            </AppLink>
          ) : (
            name
          ),
        ],
        ['Last fixing', latest && `${formatRate(latest.ratePct)} on ${formatDate(latest.fixedOn)}`],
        ['Next reset', nextResetOn && <Time key="next" value={nextResetOn} />],
      ]}
    />
  )
}

/** Such as `The reference rate plus 2.85%, reset quarterly. At least 1%, at most 8%.` */
function describe({ marginPct, frequency, minimumRatePct, maximumRatePct }: Terms): string {
  const isBelow = marginPct.startsWith('-')
  const margin = `${isBelow ? 'less' : 'plus'} ${formatRate(marginPct.replace('-', ''))}`
  const bounds = [
    Number(minimumRatePct) > 0 && `at least ${formatRate(minimumRatePct)}`,
    maximumRatePct && `at most ${formatRate(maximumRatePct)}`,
  ].filter(Boolean)
  const text = `The reference rate ${margin}, reset ${readable(frequency).toLowerCase()}`
  return bounds.length > 0 ? `${text}, ${bounds.join(' and ')}.` : `${text}.`
}

const isRate = (text: string) => /^-?\d{1,3}(\.\d{1,6})?$/.test(text)

/** What the next reset would change if the reference rate had a value that the person enters. */
function NextReset({ facilityId, terms }: { facilityId: string; terms: Terms }) {
  const [entered, setEntered] = useState(terms.referenceRate?.latestFixing?.ratePct ?? '')
  const [text] = useDebouncedValue(entered.trim().replace(',', '.'), 300)
  return (
    <Stack gap="xs">
      <TextInput
        label="What if the reference rate were, in percent"
        inputMode="decimal"
        maw={320}
        value={entered}
        onChange={({ currentTarget: { value } }) => setEntered(value)}
      />
      {isRate(text) ? (
        <Query query={RateResetPreviewDocument} variables={{ facilityId, fixingPct: text }}>
          {({ rateResetPreview: preview }) =>
            preview && (
              <>
                <Text size="sm">
                  From {formatDate(preview.resetOn)}, the rate would be{' '}
                  {formatRate(preview.ratePct)}.
                </Text>
                <FiguresComparison before={preview.before} after={preview.after} />
              </>
            )
          }
        </Query>
      ) : (
        <Text size="sm" c="dimmed">
          Enter a rate such as 2.5.
        </Text>
      )}
    </Stack>
  )
}
