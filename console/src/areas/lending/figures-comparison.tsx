import type { ReactNode } from 'react'
import { formatMonths } from '../../parts/format.ts'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { difference } from './amounts.ts'
import type { FiguresPartsFragment } from './queries.generated.ts'

type Figures = FiguresPartsFragment | null | undefined

interface FiguresComparisonProps {
  before: Figures
  after: Figures
  beforeName?: string
  afterName?: string
}

/** A figure of a schedule, and how two schedules differ in it. */
interface Figure {
  name: string
  of: (figures: FiguresPartsFragment) => ReactNode
  difference: (before: FiguresPartsFragment, after: FiguresPartsFragment) => ReactNode
}

const amount = (name: string, key: 'installment' | 'totalInterest'): Figure => ({
  name,
  of: (figures) => <Money value={figures[key]} />,
  difference: (before, after) => <Money value={difference(after[key], before[key])} />,
})

const figures: readonly Figure[] = [
  amount('Next installment', 'installment'),
  amount('Total interest', 'totalInterest'),
  {
    name: 'Last installment',
    of: ({ maturityDate }) => <Time value={maturityDate} />,
    difference: monthsBetween,
  },
]

/** The key figures of two schedules side by side, and what the difference costs or saves. */
export function FiguresComparison(props: FiguresComparisonProps) {
  const { before, after, beforeName = 'Today', afterName = 'After' } = props
  const column = (title: string, schedule: Figures): Column<Figure> => ({
    title,
    isNumeric: true,
    cell: (figure) => schedule && figure.of(schedule),
  })
  return (
    <RowTable
      label={`${beforeName} and ${afterName}`}
      rows={figures}
      columns={[
        { title: 'Figure', cell: ({ name }) => name },
        ...(before ? [column(beforeName, before)] : []),
        column(afterName, after),
        ...(before
          ? [
              {
                title: 'Difference',
                isNumeric: true,
                cell: (figure: Figure) => after && figure.difference(before, after),
              },
            ]
          : []),
      ]}
      keyOf={({ name }) => name}
    />
  )
}

function monthsBetween(before: FiguresPartsFragment, after: FiguresPartsFragment): string {
  const [from, to] = [before, after].map(({ maturityDate }) => {
    const [year = 0, month = 0] = maturityDate.split('-').map(Number)
    return year * 12 + month
  })
  const months = to! - from!
  if (months === 0) return 'Same month'
  return `${formatMonths(Math.abs(months))} ${months > 0 ? 'later' : 'earlier'}`
}
