import { Stack } from '@mantine/core'
import { Empty, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money } from '../../parts/values.tsx'
import { MonthBalancesDocument, type MonthBalancesQuery } from './queries.generated.ts'

type Balances = NonNullable<MonthBalancesQuery['generalLedgerTrialBalances']>[number]
type Line = Balances['lines'][number]

/** The opening and closing balances of a month, for each currency. */
export const MonthBalances = ({ accountingPeriodId }: { accountingPeriodId: string }) => (
  <Query query={MonthBalancesDocument} variables={{ accountingPeriodId }}>
    {({ generalLedgerTrialBalances: balances }) =>
      balances &&
      (balances.length === 0 ? (
        <Section title="Trial balance">
          <Empty>Nothing was booked up to the end of the month.</Empty>
        </Section>
      ) : (
        <Stack gap="lg">
          {balances.map((each) => (
            <TrialBalance key={each.currency} balances={each} />
          ))}
        </Stack>
      ))
    }
  </Query>
)

function TrialBalance({ balances: { currency, debit, credit, lines } }: { balances: Balances }) {
  const money = (amount: string) => <Money value={{ amount, currency }} />
  const column = (
    title: string,
    name: 'opening' | 'reclassified' | 'debit' | 'credit' | 'closing',
  ) => ({ title, isNumeric: true, cell: (line: Line) => money(line[name]) }) as const
  const isReclassified = lines.some(({ reclassified }) => Number(reclassified) !== 0)
  const columns: readonly Column<Line>[] = [
    { title: 'Account', cell: ({ accountNumber, name }) => `${accountNumber} ${name}` },
    column('Opening', 'opening'),
    ...(isReclassified ? [column('Reclassified', 'reclassified')] : []),
    column('Debit', 'debit'),
    column('Credit', 'credit'),
    column('Closing', 'closing'),
  ]
  const footer = ['Total', ...(isReclassified ? [''] : []), '', money(debit), money(credit), '']
  const title = `Trial balance in ${currency}`
  return (
    <Section
      title={title}
      description="Debit balances are positive. A posting is shown within seconds."
    >
      <RowTable
        label={title}
        rows={lines}
        columns={columns}
        keyOf={({ accountNumber }) => accountNumber}
        footer={footer}
      />
    </Section>
  )
}
