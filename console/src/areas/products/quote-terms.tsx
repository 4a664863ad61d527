import { Stack, Table } from '@mantine/core'
import { formatRate, readable } from '../../parts/format.ts'
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
        <Table aria-label="Components of the rate">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Component</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th ta="right">Rate</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {components.map(({ kind, ratePct: rate, source }) => (
              <Table.Tr key={`${kind} ${source}`}>
                <Table.Td>{readable(kind)}</Table.Td>
                <Table.Td>{source ?? 'The product'}</Table.Td>
                <Table.Td ta="right">{formatRate(rate)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {fees.length > 0 && (
        <Table aria-label="Fees">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Fee</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fees.map(({ code, frequency, amount }) => (
              <Table.Tr key={code}>
                <Table.Td>{readable(code)}</Table.Td>
                <Table.Td>{readable(frequency)}</Table.Td>
                <Table.Td ta="right">
                  <Money value={amount} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}
