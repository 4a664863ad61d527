import { Table } from '@mantine/core'
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
  const amounts = ['payment', 'principal', 'interest', 'balance'] as const
  return (
    <Table.ScrollContainer minWidth={560} maxHeight={420} type="native">
      <Table aria-label="Installments" stickyHeader highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Number</Table.Th>
            <Table.Th>Due on</Table.Th>
            {hasStatus && <Table.Th>Status</Table.Th>}
            <Table.Th ta="right">Installment</Table.Th>
            <Table.Th ta="right">Principal</Table.Th>
            <Table.Th ta="right">Interest</Table.Th>
            <Table.Th ta="right">Remaining balance</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {schedule.map((installment) => (
            <Table.Tr key={installment.number}>
              <Table.Td>{installment.number}</Table.Td>
              <Table.Td>
                <Time value={installment.dueDate} />
              </Table.Td>
              {hasStatus && (
                <Table.Td>{installment.status && <State value={installment.status} />}</Table.Td>
              )}
              {amounts.map((amount) => (
                <Table.Td key={amount} ta="right">
                  <Money value={{ amount: installment[amount], currency }} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
