import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import type { ScheduledInstallment } from './schedule-rows.ts'

/** The installments of a schedule, with their status if the schedule is in force. */
export function ScheduleTable({
  schedule,
  currency,
}: {
  schedule: readonly ScheduledInstallment[]
  currency: string
}) {
  const hasStatus = schedule.some(({ status }) => status)
  return (
    <RowTable
      label="Installments"
      rows={schedule}
      columns={columnsFor(currency, hasStatus)}
      keyOf={({ number }) => String(number)}
      maxHeight={420}
    />
  )
}

function columnsFor(currency: string, hasStatus: boolean): Column<ScheduledInstallment>[] {
  const amount = (title: string, name: 'payment' | 'principal' | 'interest' | 'balance') => ({
    title,
    isNumeric: true,
    cell: (installment: ScheduledInstallment) => (
      <Money value={{ amount: installment[name], currency }} />
    ),
  })
  return [
    { title: 'Number', cell: ({ number }) => number },
    { title: 'Due on', cell: ({ dueDate }) => <Time value={dueDate} /> },
    ...(hasStatus
      ? [
          {
            title: 'Status',
            cell: ({ status }: ScheduledInstallment) => status && <State value={status} />,
          },
        ]
      : []),
    amount('Installment', 'payment'),
    amount('Principal', 'principal'),
    amount('Interest', 'interest'),
    amount('Remaining balance', 'balance'),
  ]
}
