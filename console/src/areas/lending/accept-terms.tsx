import { useApolloClient } from '@apollo/client/react'
import { Button, Checkbox, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useCommand } from '../../graph/command.ts'
import { HeadDocument } from '../../graph/queries.generated.ts'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { useSession } from '../../session/session.ts'
import type { Application } from './application.ts'
import { AcceptLoanTermsDocument } from './queries.generated.ts'

/** Accepts the approved terms. The bank's clock, not the browser's, says when. */
export function AcceptTerms({ application: { applicationId } }: { application: Application }) {
  const client = useApolloClient()
  const isEmployee = useSession().person.partyId === null
  const [isRead, setIsRead] = useState(false)
  // A repeated attempt is the same request, so it states the same time.
  const acceptedAt = useRef<string>(undefined)
  const command = useCommand(AcceptLoanTermsDocument, `accept:${applicationId}`)
  const accept = async () => {
    acceptedAt.current ??= await now()
    const acceptanceChannel = isEmployee ? 'branch' : 'web'
    const result = await command.run({
      input: { applicationId, acceptedAt: acceptedAt.current, acceptanceChannel },
    })
    if ('data' in result) notifications.show({ color: 'teal', message: 'Terms accepted' })
  }
  const now = async () => {
    const { data } = await client.query({ query: HeadDocument, fetchPolicy: 'network-only' })
    return data?.environment?.now ?? new Date().toISOString()
  }
  return (
    <Stack>
      <Checkbox
        label={
          isEmployee
            ? 'The customer has read these terms and accepts them.'
            : 'I have read these terms and accept them.'
        }
        checked={isRead}
        onChange={({ currentTarget }) => setIsRead(currentTarget.checked)}
      />
      {Boolean(command.error) && <ProblemAlert error={command.error} />}
      <Button
        disabled={!isRead}
        loading={command.isRunning}
        onClick={() => void accept()}
        w="fit-content"
      >
        Accept the terms
      </Button>
    </Stack>
  )
}
