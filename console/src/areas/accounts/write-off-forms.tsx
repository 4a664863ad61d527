import { useQuery } from '@apollo/client/react'
import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney, type MoneyValue } from '../../parts/format.ts'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { Facts, Id, Money } from '../../parts/values.tsx'
import {
  PreviewOverdraftWriteOffDocument,
  ProposeOverdraftWriteOffDocument,
  RecoverOverdraftDocument,
} from './queries.generated.ts'
import type { WriteOff } from './write-off-columns.tsx'

interface WriteOffFormProps {
  arrangementId: string
  onClose: () => void
}

/** Proposes to write off what an account owes; shows the posting, or what has to be done before. */
export function WriteOffForm({ arrangementId, onClose }: WriteOffFormProps) {
  const { data, error, loading, refetch } = useQuery(PreviewOverdraftWriteOffDocument, {
    variables: { arrangementId },
    fetchPolicy: 'network-only',
  })
  const preview = data?.overdraftWriteOffPreview
  return (
    <CommandForm
      id={`write-off:${arrangementId}`}
      mutation={ProposeOverdraftWriteOffDocument}
      initialValues={{ reason: '' }}
      validate={({ reason }) => ({
        ...(!reason.trim() && { reason: 'Why is it not expected to be repaid?' }),
      })}
      variables={({ reason }) => ({ input: { arrangementId, reason: reason.trim() } })}
      submitLabel="Propose the write-off"
      isSubmitHidden={!preview}
      isDangerous
      onCancel={onClose}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'Write-off proposed; another person decides' })
        onClose()
      }}
    >
      {(form) => (
        <Stack>
          {loading && <Lines count={2} />}
          {error && (
            <>
              <Text size="sm">
                First, block the account for debits, withdraw its limit, settle its authorizations,
                collect or waive its fees, and charge its interest. This is missing:
              </Text>
              <ProblemAlert error={error} onRetry={() => void refetch()} />
            </>
          )}
          {preview && (
            <>
              <Text size="sm">
                Another person approves it. It books what the account owes then, at most this
                amount. The account stays blocked until everything is recovered.
              </Text>
              <Facts
                facts={[
                  ['Loss', <Money key="loss" value={preview.amount} />],
                  ['Debited', <Id key="debit" value={preview.debitAccountId} />],
                  ['Credited', <Id key="credit" value={preview.creditAccountId} />],
                ]}
              />
              <Textarea label="Reason" autosize required {...form.getInputProps('reason')} />
            </>
          )}
        </Stack>
      )}
    </CommandForm>
  )
}

interface RecoveryFormProps {
  writeOff: WriteOff
  /** What is on the account. */
  balance: MoneyValue
  onClose: () => void
}

/** Books money that arrived on the account after its overdraft was written off. */
export function RecoveryForm({ writeOff, balance, onClose }: RecoveryFormProps) {
  const { overdraftWriteOffId, unrecovered } = writeOff
  const { currency } = unrecovered
  const isEnough = Number(balance.amount) >= Number(unrecovered.amount)
  const max = isEnough ? unrecovered : balance
  return (
    <CommandForm
      id={`recovery:${overdraftWriteOffId}`}
      mutation={RecoverOverdraftDocument}
      initialValues={{ amount: max.amount }}
      validate={({ amount }) => ({
        ...(!isAmount(amount) && { amount: 'An amount such as 50.00.' }),
      })}
      variables={({ amount }) => ({
        input: { overdraftWriteOffId, amount: { amount: amountOf(amount), currency } },
      })}
      fieldOfCode={{ INSUFFICIENT_FUNDS: 'amount', INVALID_AMOUNT: 'amount' }}
      submitLabel="Book the recovery"
      onCancel={onClose}
      onDone={({ recoverOverdraft }) => {
        const left = formatMoney(recoverOverdraft.unrecovered)
        notifications.show({ color: 'teal', message: `Recovery booked; ${left} is left` })
        onClose()
      }}
    >
      {(form) => (
        <Stack>
          <Text size="sm">
            {formatMoney(unrecovered)} is not recovered, and the account has {formatMoney(balance)}.
          </Text>
          <TextInput
            label={`Amount in ${currency}`}
            inputMode="decimal"
            required
            {...form.getInputProps('amount')}
          />
        </Stack>
      )}
    </CommandForm>
  )
}
