import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import type { MoneyValue } from '../../parts/format.ts'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { CreatePromiseToPayDocument } from './queries.generated.ts'

/** Records that the borrower promises to pay an amount by a date. */
export const PromiseForm = (props: {
  facilityId: string
  arrears: MoneyValue
  onClose: () => void
}) => (
  <CommandForm
    id={`promise:${props.facilityId}`}
    mutation={CreatePromiseToPayDocument}
    initialValues={{ amount: props.arrears.amount, payBy: '', note: '' }}
    validate={({ amount, payBy }) => ({
      ...(!isAmount(amount) && { amount: 'An amount such as 500.' }),
      ...(!payBy && { payBy: 'By when is it paid?' }),
    })}
    variables={({ amount, payBy, note }) => ({
      input: {
        facilityId: props.facilityId,
        amount: amountOf(amount),
        payBy,
        note: note.trim() || null,
      },
    })}
    submitLabel="Record the promise"
    onCancel={props.onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Promise recorded' })
      props.onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          What is paid by this day counts toward the promise. Late charges continue meanwhile.
        </Text>
        <TextInput
          label={`Amount in ${props.arrears.currency}`}
          inputMode="decimal"
          required
          {...form.getInputProps('amount')}
        />
        <TextInput label="Pay by" type="date" required {...form.getInputProps('payBy')} />
        <Textarea label="Note" autosize {...form.getInputProps('note')} />
      </Stack>
    )}
  </CommandForm>
)
