import { Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { ProposeSelfServiceSettingDocument } from './queries.generated.ts'

interface SelfServiceFormProps {
  productId: string
  /** What is proposed. */
  isAllowed: boolean
  onClose: () => void
}

/** Proposes whether customers may open accounts of a product themselves. */
export const SelfServiceForm = ({ productId, isAllowed, onClose }: SelfServiceFormProps) => (
  <CommandForm
    id={`self-service:${productId}`}
    mutation={ProposeSelfServiceSettingDocument}
    initialValues={{ reason: '' }}
    validate={({ reason }) => ({ ...(!reason.trim() && { reason: 'Required.' }) })}
    variables={({ reason }) => ({ input: { productId, isAllowed, reason: reason.trim() } })}
    submitLabel="Propose"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Self-service setting proposed' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          {isAllowed
            ? 'When another person approves it, customers can open accounts of the version that is on sale, and deposit money.'
            : 'When another person approves it, only employees can open accounts of this product. Accounts that exist stay as they are.'}
        </Text>
        <Textarea label="Reason" autosize required {...form.getInputProps('reason')} />
      </Stack>
    )}
  </CommandForm>
)
