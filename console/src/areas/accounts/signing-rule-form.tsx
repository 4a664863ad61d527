import { Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { ProposeSigningRuleDocument } from './queries.generated.ts'

interface SigningRuleFormProps {
  arrangementId: string
  currency: string
  onClose: () => void
}

interface Values {
  requiredSignatures: string
  fromAmount: string
  signatoryPartyIds: string[]
  reason: string
}

const initialValues: Values = {
  requiredSignatures: '2',
  fromAmount: '',
  signatoryPartyIds: [],
  reason: '',
}

const errorsOf = ({ requiredSignatures, fromAmount, reason }: Values) => ({
  ...(!/^[1-9]\d?$/.test(requiredSignatures.trim()) && {
    requiredSignatures: 'A number of people.',
  }),
  ...(fromAmount.trim() && !isAmount(fromAmount) && { fromAmount: 'An amount such as 50.00.' }),
  ...(!reason.trim() && { reason: 'Required.' }),
})

/** Proposes how many people must sign a payment, which another person approves. */
export const SigningRuleForm = ({ arrangementId, currency, onClose }: SigningRuleFormProps) => (
  <CommandForm
    id={`signing-rule:${arrangementId}`}
    mutation={ProposeSigningRuleDocument}
    initialValues={initialValues}
    validate={errorsOf}
    variables={({ requiredSignatures, fromAmount, signatoryPartyIds, reason }) => ({
      input: {
        arrangementId,
        requiredSignatures: Number(requiredSignatures),
        signatoryPartyIds,
        reason: reason.trim(),
        ...(fromAmount.trim() && { fromAmount: { amount: amountOf(fromAmount), currency } }),
      },
    })}
    fieldOf={(pointer) => pointer.split('/').find((part) => part in initialValues)}
    submitLabel="Propose"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Signing rule proposed' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <TextInput
          label="Number of signatures"
          inputMode="numeric"
          required
          {...form.getInputProps('requiredSignatures')}
        />
        <TextInput
          label={`From this amount in ${currency}`}
          description="Below it, one signatory is enough. Empty for every amount."
          inputMode="decimal"
          {...form.getInputProps('fromAmount')}
        />
        <TagsInput
          label="IDs of the signatories"
          description="The owner, holders, and parties that may pay. Press Enter after each. Empty, with one signature, to end the rule."
          {...form.getInputProps('signatoryPartyIds')}
        />
        <Textarea label="Reason" autosize required {...form.getInputProps('reason')} />
      </Stack>
    )}
  </CommandForm>
)
