import { Alert, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { CommandButton } from '../../parts/command-button.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  IssueEmployeeLogInCodeDocument,
  RequestEmployeeLogInCodeDocument,
  type EmployeeRowFragment,
  type IssueEmployeeLogInCodeMutation,
} from './queries.generated.ts'

type Issued = IssueEmployeeLogInCodeMutation['issueEmployeeLogInCode']

/** The one-time code with which an employee sets a password: one person requests it, another issues it. */
export function LogInCode({ employee }: { employee: EmployeeRowFragment }) {
  const { employeeId, username, logInCodeRequestedBy: requestedBy } = employee
  const [issued, setIssued] = useState<Issued | null>(null)
  const { person } = useSession()
  const may = useMay()
  const isAnother = person.username !== requestedBy && person.username !== username
  return (
    <Section
      title="Password"
      description="With a one-time code, the person sets a password on the page /oauth/password."
      actions={
        <>
          {may('staff:manage') && (
            <NotifyingButton
              id={`request-code:${employeeId}`}
              mutation={RequestEmployeeLogInCodeDocument}
              variables={{ employeeId }}
              done="Code requested; a second person issues it"
              variant="default"
            >
              Request a code
            </NotifyingButton>
          )}
          {may('staff:approve') && requestedBy && isAnother && (
            <CommandButton
              id={`issue-code:${employeeId}`}
              mutation={IssueEmployeeLogInCodeDocument}
              variables={{ employeeId }}
              onDone={({ issueEmployeeLogInCode }) => setIssued(issueEmployeeLogInCode)}
            >
              Issue the code
            </CommandButton>
          )}
        </>
      }
    >
      {issued ? (
        <Alert color="yellow" title="This code is shown only once. Hand it over in person.">
          <Code fz="lg">{issued.code}</Code>
          <Text size="sm" mt="xs">
            Valid until <Time value={issued.expiresAt} />
          </Text>
        </Alert>
      ) : (
        <Text size="sm">
          {requestedBy
            ? `${requestedBy} requested a code. A second person issues it.`
            : 'No code is requested.'}
        </Text>
      )}
    </Section>
  )
}
