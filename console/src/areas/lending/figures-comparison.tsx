import { Table } from '@mantine/core'
import { Money, Time } from '../../parts/values.tsx'
import { difference } from './amounts.ts'
import type { FiguresPartsFragment } from './queries.generated.ts'

interface FiguresComparisonProps {
  before: FiguresPartsFragment | null | undefined
  after: FiguresPartsFragment | null | undefined
  beforeName?: string
  afterName?: string
}

/** The key figures of two schedules side by side, and what the difference costs or saves. */
export function FiguresComparison(props: FiguresComparisonProps) {
  const { before, after, beforeName = 'Today', afterName = 'After' } = props
  const rows = [
    ['Next installment', 'installment'],
    ['Total interest', 'totalInterest'],
  ] as const
  return (
    <Table aria-label={`${beforeName} and ${afterName}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          {before && <Table.Th ta="right">{beforeName}</Table.Th>}
          <Table.Th ta="right">{afterName}</Table.Th>
          {before && <Table.Th ta="right">Difference</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([label, figure]) => (
          <Table.Tr key={figure}>
            <Table.Th scope="row" fw={500}>
              {label}
            </Table.Th>
            {before && (
              <Table.Td ta="right">
                <Money value={before[figure]} />
              </Table.Td>
            )}
            <Table.Td ta="right">
              <Money value={after?.[figure]} />
            </Table.Td>
            {before && (
              <Table.Td ta="right">
                <Money value={after && difference(after[figure], before[figure])} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row" fw={500}>
            Last installment
          </Table.Th>
          {before && (
            <Table.Td ta="right">
              <Time value={before.maturityDate} />
            </Table.Td>
          )}
          <Table.Td ta="right">
            <Time value={after?.maturityDate} />
          </Table.Td>
          {before && <Table.Td ta="right">{after && monthsBetween(before, after)}</Table.Td>}
        </Table.Tr>
      </Table.Tbody>
    </Table>
  )
}

function monthsBetween(before: FiguresPartsFragment, after: FiguresPartsFragment): string {
  const [from, to] = [before, after].map(({ maturityDate }) => {
    const [year = 0, month = 0] = maturityDate.split('-').map(Number)
    return year * 12 + month
  })
  const months = to! - from!
  if (months === 0) return 'Same month'
  const count = Math.abs(months) === 1 ? '1 month' : `${Math.abs(months)} months`
  return `${count} ${months > 0 ? 'later' : 'earlier'}`
}
