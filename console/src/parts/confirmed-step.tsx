import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Button, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { CommandForm } from './command-form.tsx'

interface ConfirmedStepProps<Data, Variables extends OperationVariables> {
  /** Distinguishes the command, such as `reverse:drw_1`. */
  id: string
  /** What the button says, such as `Reverse`. */
  label: string
  /** What the dialog says, such as `Reverse the drawdown`. */
  title: string
  explanation: string
  mutation: TypedDocumentNode<Data, Variables>
  variables: (reason: string | null) => Variables
  /** Whether a reason can be given. */
  hasReason?: boolean
  /** What is shown after success. */
  done: string
}

/** A step that cannot be taken back: a small button that first says in a dialog what will happen. */
export function ConfirmedStep<Data, Variables extends OperationVariables>(
  props: ConfirmedStepProps<Data, Variables>,
) {
  const { id, label, title, explanation, mutation, variables, hasReason, done } = props
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} centered>
        <CommandForm
          id={id}
          mutation={mutation}
          initialValues={{ reason: '' }}
          variables={({ reason }) => variables(reason.trim() || null)}
          submitLabel={title}
          isDangerous
          onCancel={close}
          onDone={() => {
            notifications.show({ color: 'teal', message: done })
            close()
          }}
        >
          {(form) => (
            <>
              <Text ta="left">{explanation}</Text>
              {hasReason && <TextInput label="Reason" {...form.getInputProps('reason')} />}
            </>
          )}
        </CommandForm>
      </Modal>
    </>
  )
}
