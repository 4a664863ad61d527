import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import type { ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { CommandButton } from './command-button.tsx'

interface NotifyingButtonProps<Data, Variables extends OperationVariables> extends ButtonProps {
  id: string
  mutation: TypedDocumentNode<Data, Variables>
  variables: Variables
  /** What is shown after success, such as `Drawdown approved`. */
  done: string
  children: ReactNode
}

/** A button that sends a mutation once and says that it succeeded. */
export const NotifyingButton = <Data, Variables extends OperationVariables>({
  done,
  ...props
}: NotifyingButtonProps<Data, Variables>) => (
  <CommandButton {...props} onDone={() => notifications.show({ color: 'teal', message: done })} />
)
