import { Stack } from '@mantine/core'
import { formatRate, readable } from '../../parts/format.ts'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Money, Time } from '../../parts/values.tsx'
import type { QuotePartsFragment } from './queries.generated.ts'

/** A price: the rate with its components, the fees, and what a loan costs in total. */
export function QuoteTerms({ quote }: { quote: QuotePartsFragment }) {
  const { ratePct, aprcPct, installment, totalPayable, components, fees } = quote
  return (
    <Stack>
      <Facts
        facts={[
          ['Interest rate', ratePct && formatRate(ratePct)],
          ['Annual percentage rate of charge', aprcPct && formatRate(aprcPct)],
          ['Monthly installment', installment && <Money key="installment" value={installment} />],
          ['Total to pay', totalPayable && <Money key="total" value={totalPayable} />],
          ['Valid until', <Time key="until" value={quote.expiresAt} />],
          ['Pricing rules', quote.ruleVersion],
        ]}
      />
      {components.length > 0 && (
        <RowTable
          label="Components of the rate"
          rows={components}
          columns={componentColumns}
          keyOf={({ kind, source }) => `${kind} ${source}`}
        />
      )}
      {fees.length > 0 && (
        <RowTable label="Fees" rows={fees} columns={feeColumns} keyOf={({ code }) => code} />
      )}
    </Stack>
  )
}

const componentColumns: readonly Column<QuotePartsFragment['components'][number]>[] = [
  { title: 'Component', cell: ({ kind }) => readable(kind) },
  { title: 'From', cell: ({ source }) => source ?? 'The product' },
  { title: 'Rate', isNumeric: true, cell: ({ ratePct }) => formatRate(ratePct) },
]

const feeColumns: readonly Column<QuotePartsFragment['fees'][number]>[] = [
  { title: 'Fee', cell: ({ code }) => readable(code) },
  { title: 'When', cell: ({ frequency }) => readable(frequency) },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
]
