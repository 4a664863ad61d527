import { Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { AddFacilityObligorDocument, type ObligorRole } from './queries.generated.ts'

const roles: readonly { value: ObligorRole; label: string }[] = [
  { value: 'CO_BORROWER', label: 'Co-borrower: owes everything' },
  { value: 'GUARANTOR', label: 'Guarantor: owes a part once it is called' },
]

interface ObligorFormProps {
  facilityId: string
  currency: string
  onClose: () => void
}

/** Adds a co-borrower or a guarantor to a facility. */
export function ObligorForm({ facilityId, currency, onClose }: ObligorFormProps) {
  return (
    <CommandForm
      id={`obligor:${facilityId}`}
      mutation={AddFacilityObligorDocument}
      initialValues={{
        role: 'GUARANTOR' as ObligorRole,
        partyId: '',
        amount: '',
        percentage: '',
        validUntil: '',
        documentId: '',
      }}
      validate={({ role, partyId, amount, percentage, documentId }) => ({
        ...(!partyId.trim() && { partyId: 'Which party is liable?' }),
        ...(amount.trim() && !isAmount(amount) && { amount: 'An amount such as 500.' }),
        ...(role === 'GUARANTOR' && {
          ...(!amount.trim() && !percentage.trim() && { amount: 'An amount or a percentage.' }),
          ...(!documentId.trim() && { documentId: 'Which document was signed?' }),
        }),
      })}
      variables={({ role, partyId, amount, percentage, validUntil, documentId }) => {
        const isGuarantor = role === 'GUARANTOR'
        return {
          input: {
            facilityId,
            partyId: partyId.trim(),
            role,
            amount: isGuarantor && amount.trim() ? amountOf(amount) : null,
            percentage: (isGuarantor && percentage.trim()) || null,
            validUntil: (isGuarantor && validUntil) || null,
            documentId: documentId.trim() || null,
          },
        }
      }}
      submitLabel="Add the obligor"
      onCancel={onClose}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'Obligor added' })
        onClose()
      }}
    >
      {(form) => (
        <Stack>
          <Text size="sm">
            A co-borrower sees the loan and can repay it. A guarantor sees only the guarantee until
            the bank calls it.
          </Text>
          <Select label="Role" allowDeselect={false} data={roles} {...form.getInputProps('role')} />
          <TextInput label="Party" required {...form.getInputProps('partyId')} />
          <TextInput label="Signed document" {...form.getInputProps('documentId')} />
          {form.values.role === 'GUARANTOR' && (
            <>
              <TextInput
                label={`Maximum amount in ${currency}`}
                inputMode="decimal"
                {...form.getInputProps('amount')}
              />
              <TextInput
                label="Percentage of what is owed"
                inputMode="decimal"
                {...form.getInputProps('percentage')}
              />
              <TextInput label="Last day" type="date" {...form.getInputProps('validUntil')} />
            </>
          )}
        </Stack>
      )}
    </CommandForm>
  )
}
