import { Button, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney } from '../../parts/format.ts'
import { ProposeFeeRefundDocument, type FeeChargePartsFragment } from './queries.generated.ts'

/** Proposes to refund a fee, which another person has to approve. */
export function RefundProposal({
  charge: { feeChargeId, feeName, amount },
}: {
  charge: FeeChargePartsFragment
}) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        Propose a refund
      </Button>
      <Modal opened={isOpen} onClose={close} title="Propose a refund" centered>
        <CommandForm
          id={`refund:${feeChargeId}`}
          mutation={ProposeFeeRefundDocument}
          initialValues={{ reason: '' }}
          validate={({ reason }) => ({ ...(!reason.trim() && { reason: 'Required.' }) })}
          variables={({ reason }) => ({ feeChargeId, reason: reason.trim() })}
          submitLabel="Propose"
          onCancel={close}
          onDone={() => {
            notifications.show({ color: 'teal', message: 'Refund proposed' })
            close()
          }}
        >
          {(form) => (
            <Stack ta="left">
              <Text size="sm">
                {feeName}, {formatMoney(amount)}. When another person approves it, the customer gets
                back what was paid, and owes nothing more.
              </Text>
              <Textarea label="Reason" autosize required {...form.getInputProps('reason')} />
            </Stack>
          )}
        </CommandForm>
      </Modal>
    </>
  )
}
