import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Button, Stack, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCommand } from '../graph/command.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface CommandButtonProps<Data, Variables extends OperationVariables> extends ButtonProps {
  /** Distinguishes the command, such as `activate:cus_1`. */
  id: string
  mutation: TypedDocumentNode<Data, Variables>
  variables: Variables
  onDone?: (data: Data) => void
  children: ReactNode
}

/** A button that sends a mutation once, and shows below itself why the bank rejected it. */
export function CommandButton<Data, Variables extends OperationVariables>({
  id,
  mutation,
  variables,
  onDone,
  ...props
}: CommandButtonProps<Data, Variables>) {
  const command = useCommand(mutation, id)
  const send = async () => {
    const result = await command.run(variables)
    if ('data' in result) onDone?.(result.data)
  }
  return (
    <Stack gap="xs">
      <div>
        <Button {...props} loading={command.isRunning} onClick={() => void send()} />
      </div>
      {Boolean(command.error) && <ProblemAlert error={command.error} />}
    </Stack>
  )
}
