import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Button, type ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useCommand } from '../../graph/command.ts'
import { problemOf } from '../../graph/problem.ts'

interface CommandButtonProps<Variables> extends ButtonProps {
  /** Distinguishes the button, such as `approve:drw_1`. */
  id: string
  mutation: TypedDocumentNode<unknown, Variables & OperationVariables>
  variables: Variables
  /** What is shown after success, such as `Drawdown approved`. */
  done: string
}

/** A button that sends a mutation once and says what came of it. */
export function CommandButton<Variables extends OperationVariables>({
  id,
  mutation,
  variables,
  done,
  ...button
}: CommandButtonProps<Variables>) {
  const command = useCommand(mutation, id)
  const onClick = async () => {
    const result = await command.run(variables)
    if ('error' in result) {
      const { message, requestId } = problemOf(result.error)
      const title = 'The bank rejected this'
      const reference = requestId ? ` (request ${requestId})` : ''
      notifications.show({
        color: 'red',
        title,
        message: `${message}${reference}`,
        autoClose: false,
      })
    } else notifications.show({ color: 'teal', message: done })
  }
  return <Button {...button} loading={command.isRunning} onClick={() => void onClick()} />
}
