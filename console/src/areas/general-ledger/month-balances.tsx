import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { Empty, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money } from '../../parts/values.tsx'
import { MonthBalancesDocument, type MonthBalancesQuery } from './queries.generated.ts'

type Balances = NonNullable<MonthBalancesQuery['generalLedgerTrialBalances']>[number]
type Line = Balances['lines'][number]

type Division = 'BANK' | 'PRODUCT' | 'SEGMENT'

const divisions: { value: Division; label: string }[] = [
  { value: 'BANK', label: 'Bank' },
  { value: 'PRODUCT', label: 'By product' },
  { value: 'SEGMENT', label: 'By segment' },
]

/** The opening and closing balances of a month, for each currency, and by product or segment. */
export function MonthBalances({ accountingPeriodId }: { accountingPeriodId: string }) {
  const [division, setDivision] = useState<Division>('BANK')
  const by = division === 'BANK' ? null : division
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label="Trial balance of"
        data={divisions}
        value={division}
        onChange={setDivision}
        w="fit-content"
      />
      <Query query={MonthBalancesDocument} variables={{ accountingPeriodId, by }}>
        {({ generalLedgerTrialBalances: balances }) =>
          balances &&
          (balances.length === 0 ? (
            <Section title="Trial balance">
              <Empty>Nothing was booked up to the end of the month.</Empty>
            </Section>
          ) : (
            balances.map((each) => (
              <TrialBalance
                key={`${each.currency} ${each.productId} ${each.segment}`}
                balances={each}
                division={division}
              />
            ))
          ))
        }
      </Query>
    </Stack>
  )
}

/** Returns what the title of a trial balance says about its product or segment. */
function partOf({ productId, segment }: Balances, division: Division): string {
  if (division === 'BANK') return ''
  return `, ${productId ?? segment ?? `no ${division.toLowerCase()}`}`
}

interface TrialBalanceProps {
  balances: Balances
  division: Division
}

function TrialBalance({ balances, division }: TrialBalanceProps) {
  const { currency, debit, credit, lines } = balances
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
  const title = `Trial balance in ${currency}${partOf(balances, division)}`
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
