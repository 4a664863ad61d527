import { Text } from '@mantine/core'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { SigningSteps } from '../accounts/signing-steps.tsx'
import type { CustomerHomeQuery } from './queries.generated.ts'

type Payment = NonNullable<CustomerHomeQuery['paymentsToSign']>['nodes'][number]

const columns: readonly Column<Payment>[] = [
  { title: 'Date', cell: ({ executionDate }) => <Time value={executionDate} /> },
  {
    title: 'From',
    cell: ({ debtorArrangement }) =>
      debtorArrangement && (
        <AppLink
          to="/accounts/$arrangementId"
          params={{ arrangementId: debtorArrangement.arrangementId }}
        >
          {debtorArrangement.accountNumber}
        </AppLink>
      ),
  },
  {
    title: 'To',
    cell: ({ creditorName, creditorIban, remittanceInformation }) => (
      <>
        {creditorName ?? creditorIban}
        <Text size="sm" c="dimmed">
          {remittanceInformation}
        </Text>
      </>
    ),
  },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: 'Signatures', cell: (payment) => <SigningSteps payment={payment} /> },
]

/** The payments that wait for the signature of the person who is logged in; nothing if there are none. */
export function PaymentsToSign({ payments }: { payments: readonly Payment[] }) {
  useChangesOfType(['payments.payment.*'])
  if (payments.length === 0) return null
  return (
    <Section title="Payments to sign">
      <RowTable
        label="Payments to sign"
        rows={payments}
        columns={columns}
        keyOf={({ paymentId }) => paymentId}
      />
    </Section>
  )
}
