import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Text } from '@mantine/core'
import { CommandButton } from '../../parts/command-button.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import {
  AccountAuthorizationsDocument,
  AccountPaymentsDocument,
  CancelPaymentDocument,
  type AccountAuthorizationsQuery,
  type AccountPaymentsQuery,
} from './queries.generated.ts'
import { SigningSteps } from './signing-steps.tsx'

type Payment = NonNullable<AccountPaymentsQuery['payments']>['nodes'][number]
type Authorization = NonNullable<AccountAuthorizationsQuery['authorizations']>['nodes'][number]

/** Whether money leaves the account with the payment. */
const isDebit = ({ debtorArrangement }: Payment, arrangementId: string) =>
  debtorArrangement?.arrangementId === arrangementId

const paymentColumnsOf = (arrangementId: string): readonly Column<Payment>[] => [
  { title: 'Date', cell: ({ executionDate }) => <Time value={executionDate} /> },
  {
    title: 'With',
    cell: (payment) => (
      <>
        {isDebit(payment, arrangementId)
          ? (payment.creditorName ?? payment.creditorIban)
          : (payment.debtorName ?? payment.debtorIban)}
        <Text size="sm" c="dimmed">
          {payment.remittanceInformation}
        </Text>
      </>
    ),
  },
  {
    title: 'State',
    cell: (payment) => {
      const { paymentId, state, reasonCode } = payment
      return (
        <>
          <State value={state} /> {reasonCode}
          <SigningSteps payment={payment} />
          {state === 'SCHEDULED' && (
            <CommandButton
              id={`cancel-payment:${paymentId}`}
              mutation={CancelPaymentDocument}
              variables={{ paymentId }}
              size="xs"
              variant="default"
            >
              Cancel
            </CommandButton>
          )}
        </>
      )
    },
  },
  {
    title: 'Amount',
    isNumeric: true,
    cell: (payment) => {
      const { amount, currency } = payment.amount
      const signed = isDebit(payment, arrangementId) ? `-${amount}` : amount
      return <Money value={{ amount: signed, currency }} isSigned />
    },
  },
]

const authorizationColumns: readonly Column<Authorization>[] = [
  { title: 'Opened', cell: ({ openedAt }) => <Time value={openedAt} /> },
  { title: 'Reference', cell: ({ clientTransactionId }) => clientTransactionId },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  {
    title: 'Open',
    isNumeric: true,
    cell: ({ open, currency }) => <Money value={{ amount: open, currency }} />,
  },
]

/** The payments from and to an account, with those that are still to come. */
export function Payments({ arrangementId }: { arrangementId: string }) {
  const { after } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const { data, error } = useQuery(AccountPaymentsDocument, {
    variables: { arrangementId, after: after ?? null },
  })
  return (
    <Section title="Payments">
      <ConnectionTable
        error={error}
        label="Payments"
        connection={data?.payments}
        columns={paymentColumnsOf(arrangementId)}
        keyOf={({ paymentId }) => paymentId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="Nothing was paid from or to this account by transfer."
      />
    </Section>
  )
}

/** The amounts that are reserved, for example for card payments. */
export function Authorizations({ arrangementId }: { arrangementId: string }) {
  const { data, error } = useQuery(AccountAuthorizationsDocument, { variables: { arrangementId } })
  return (
    <Section title="Open authorizations">
      <ConnectionTable
        error={error}
        label="Open authorizations"
        connection={data?.authorizations}
        columns={authorizationColumns}
        keyOf={({ clientTransactionId }) => clientTransactionId}
        empty="Nothing is reserved on this account."
      />
    </Section>
  )
}
