import { Alert, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { CommandButton } from '../../parts/command-button.tsx'
import { formatMoney } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { notifications } from '@mantine/notifications'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  CurrencyRevaluationPreviewDocument,
  CurrencyRevaluationsDocument,
  RevalueCurrenciesDocument,
  type AccountingPeriodPartsFragment,
  type CurrencyRevaluationPreviewQuery,
  type CurrencyRevaluationsQuery,
} from './queries.generated.ts'

type Preview = NonNullable<CurrencyRevaluationPreviewQuery['currencyRevaluationPreview']>
type Position = Preview['positions'][number]
type Booked = NonNullable<CurrencyRevaluationsQuery['currencyRevaluations']>['nodes'][number]

interface RevaluationProps {
  period: AccountingPeriodPartsFragment
  hasEnded: boolean
}

/** The positions in other currencies at the end of a month: what a revaluation would book, and did. */
export function Revaluation({ period: { accountingPeriodId, state }, hasEnded }: RevaluationProps) {
  return (
    <Section
      title="Currency revaluation"
      description="Positions in other currencies, at the closing rates of the last day."
    >
      {hasEnded ? (
        <Stack gap="lg">
          <Query query={CurrencyRevaluationPreviewDocument} variables={{ accountingPeriodId }}>
            {({ currencyRevaluationPreview: preview }) =>
              preview && (
                <Positions
                  preview={preview}
                  accountingPeriodId={accountingPeriodId}
                  isClosed={state === 'CLOSED'}
                />
              )
            }
          </Query>
          <BookedRevaluations accountingPeriodId={accountingPeriodId} />
        </Stack>
      ) : (
        <Empty>Positions are revalued when the month has ended.</Empty>
      )}
    </Section>
  )
}

interface PositionsProps {
  preview: Preview
  accountingPeriodId: string
  isClosed: boolean
}

function Positions({ preview, accountingPeriodId, isClosed }: PositionsProps) {
  const { positions, functionalCurrency, gain, isUpToDate } = preview
  const canBook = useMay()('accounting:write') && !isClosed && !isUpToDate
  const total = { amount: gain, currency: functionalCurrency }
  if (positions.length === 0) {
    return <Text c="dimmed">The bank has no positions in other currencies.</Text>
  }
  return (
    <Stack>
      {isUpToDate && (
        <Alert color="teal" icon={<IconCircleCheck />} title="Up to date">
          The last revaluation agrees with the positions and the rates.
        </Alert>
      )}
      <RowTable
        label="Positions in other currencies"
        rows={positions}
        columns={positionColumns(functionalCurrency)}
        keyOf={({ currency }) => currency}
        footer={['Total', '', '', '', '', '', <Money key="gain" value={total} isSigned />]}
      />
      {canBook && (
        <div>
          <CommandButton
            id={`revalue:${accountingPeriodId}`}
            mutation={RevalueCurrenciesDocument}
            variables={{ accountingPeriodId }}
            onDone={({ revalueCurrencies }) => {
              const booked = { amount: revalueCurrencies.gain, currency: functionalCurrency }
              notifications.show({
                color: 'teal',
                message: `Revaluation booked: ${formatMoney(booked)}`,
              })
            }}
          >
            Book the revaluation
          </CommandButton>
        </div>
      )}
    </Stack>
  )
}

function positionColumns(functionalCurrency: string): readonly Column<Position>[] {
  const amount = (title: string, name: 'cost' | 'value' | 'bookedBefore' | 'difference') => ({
    title,
    isNumeric: true,
    cell: (position: Position) => (
      <Money value={{ amount: position[name], currency: functionalCurrency }} />
    ),
  })
  return [
    { title: 'Currency', cell: ({ currency }) => currency },
    {
      title: 'Position',
      isNumeric: true,
      cell: ({ position, currency }) => <Money value={{ amount: position, currency }} />,
    },
    amount('Cost', 'cost'),
    { title: 'Closing rate', isNumeric: true, cell: ({ rate }) => rate },
    amount('Value', 'value'),
    amount('Booked before', 'bookedBefore'),
    amount('To book', 'difference'),
  ]
}

const bookedColumns: readonly Column<Booked>[] = [
  { title: 'Revalued', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'By', cell: ({ revaluedBy }) => revaluedBy },
  {
    title: 'Journal entry',
    cell: ({ journalEntryId }) =>
      journalEntryId && (
        <AppLink to="/journal-entries/$journalEntryId" params={{ journalEntryId }}>
          {journalEntryId}
        </AppLink>
      ),
  },
  {
    title: 'Gain or loss',
    isNumeric: true,
    cell: ({ gain, functionalCurrency }) => (
      <Money value={{ amount: gain, currency: functionalCurrency }} isSigned />
    ),
  },
]

/** The revaluations of the month; a later one books only what changed since. */
const BookedRevaluations = ({ accountingPeriodId }: { accountingPeriodId: string }) => (
  <Query query={CurrencyRevaluationsDocument} variables={{ accountingPeriodId }}>
    {({ currencyRevaluations }) => {
      const nodes = currencyRevaluations?.nodes ?? []
      return (
        nodes.length > 0 && (
          <RowTable
            label="Booked revaluations"
            rows={nodes}
            columns={bookedColumns}
            keyOf={({ currencyRevaluationId }) => currencyRevaluationId}
          />
        )
      )
    }}
  </Query>
)
