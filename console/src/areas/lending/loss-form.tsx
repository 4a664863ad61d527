import { Select, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { ProposeFacilityLossDocument, type LossAction } from './queries.generated.ts'

/** Proposes that a facility be charged off or written off; a second person decides. */
export function LossForm({
  facilityId,
  state,
  onClose,
}: {
  facilityId: string
  state: string
  onClose: () => void
}) {
  const isChargedOff = state === 'CHARGED_OFF'
  return (
    <CommandForm
      id={`loss:${facilityId}`}
      mutation={ProposeFacilityLossDocument}
      initialValues={{ action: isChargedOff ? 'WRITE_OFF' : 'CHARGE_OFF', reason: '' }}
      validate={({ reason }) => (reason.trim() ? {} : { reason: 'Why is it a loss?' })}
      variables={({ action, reason }) => ({
        input: { facilityId, action: action as LossAction, reason: reason.trim() },
      })}
      submitLabel="Propose the loss"
      isDangerous
      onCancel={onClose}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'Loss proposed; a second person decides' })
        onClose()
      }}
    >
      {(form) => (
        <Stack>
          <Text size="sm">
            Another person approves the loss before it is booked. The borrower still owes the money.
          </Text>
          <Select
            label="Action"
            allowDeselect={false}
            data={
              isChargedOff
                ? [{ value: 'WRITE_OFF', label: 'Write off: recovery ends' }]
                : [{ value: 'CHARGE_OFF', label: 'Charge off: recovery continues' }]
            }
            {...form.getInputProps('action')}
          />
          <Textarea label="Reason" required autosize {...form.getInputProps('reason')} />
        </Stack>
      )}
    </CommandForm>
  )
}
