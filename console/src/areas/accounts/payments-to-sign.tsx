import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { Text } from '@mantine/core'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { PaymentsToSignDocument, type PaymentsToSignQuery } from './queries.generated.ts'
import { SigningSteps } from './signing-steps.tsx'

type Payment = NonNullable<PaymentsToSignQuery['paymentsToSign']>['nodes'][number]

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
export function PaymentsToSign() {
  const canRead = useMay()('postings:read')
  const [after, setAfter] = useState<string | undefined>()
  useChangesOfType(['payments.payment.*'])
  const { data, previousData } = useQuery(PaymentsToSignDocument, {
    variables: { after: after ?? null },
    skip: !canRead,
  })
  const connection = (data ?? previousData)?.paymentsToSign
  if (!connection || (connection.nodes.length === 0 && after === undefined)) return null
  return (
    <Section title="Payments to sign">
      <ConnectionTable
        label="Payments to sign"
        connection={connection}
        columns={columns}
        keyOf={({ paymentId }) => paymentId}
        after={after}
        onPage={setAfter}
        empty="No other payment waits for your signature."
      />
    </Section>
  )
}
