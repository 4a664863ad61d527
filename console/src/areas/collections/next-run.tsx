import { Group, Text } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { Empty, Figure, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { contractColumns } from './contract-columns.tsx'
import { NextStep } from './next-step.tsx'
import { NextCollectionsRunDocument, type NextCollectionsRunQuery } from './queries.generated.ts'

type Preview = NonNullable<NextCollectionsRunQuery['collectionsPreview']>
type Item = Preview['items'][number]

const columns: readonly Column<Item>[] = [
  ...contractColumns,
  { title: 'Days past due', isNumeric: true, cell: ({ daysPastDue }) => daysPastDue },
  { title: 'Arrears', isNumeric: true, cell: ({ arrears }) => <Money value={arrears} /> },
  {
    title: 'What happens',
    cell: ({ steps, pauseReason }) =>
      pauseReason ? `Paused: ${readable(pauseReason).toLowerCase()}` : steps.join(', '),
  },
  { title: 'Then', cell: ({ nextStep }) => <NextStep step={nextStep} /> },
]

interface NextRunProps {
  /** The strategy to look at, as if it were approved; null for the strategies in effect. */
  collectionsStrategyId: string | null
}

/** What the next nightly run would do. Nothing is stored. */
export const NextRun = ({ collectionsStrategyId }: NextRunProps) => (
  <Query query={NextCollectionsRunDocument} variables={{ collectionsStrategyId }}>
    {({ collectionsPreview: preview }) =>
      preview && (
        <Section
          title="Next run"
          description={
            <>
              What would happen on <Time value={preview.businessDate} /> if nothing changes until
              then.
              {!preview.isComplete && ' Only the first 1,000 contracts were read.'}
            </>
          }
        >
          <Counts preview={preview} />
          {preview.items.length === 0 ? (
            <Empty>No step would be taken, and no contract would be paused.</Empty>
          ) : (
            <RowTable
              label="Contracts"
              rows={preview.items}
              columns={columns}
              keyOf={({ facility, arrangement }) =>
                facility?.facilityId ?? arrangement?.arrangementId ?? ''
              }
            />
          )}
          {preview.items.length === 200 && (
            <Text size="sm" c="dimmed" mt="xs">
              The first 200 contracts are shown.
            </Text>
          )}
        </Section>
      )
    }
  </Query>
)

const Counts = ({ preview: { contracts, steps, pauses } }: { preview: Preview }) => (
  <Group mb="md" gap="md">
    <Figure name="Contracts in arrears" value={contracts} />
    {steps.map(({ code, action, count, strategy }) => (
      <Figure
        key={`${strategy?.collectionsStrategyId} ${code}`}
        name={code}
        value={count}
        hint={readable(action)}
      />
    ))}
    {pauses.map(({ reason, count }) => (
      <Figure key={reason} name="Paused" value={count} hint={readable(reason)} />
    ))}
  </Group>
)
