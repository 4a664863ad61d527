import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core'
import { IconAlertCircle, IconLock } from '@tabler/icons-react'
import { logIn } from '../session/log-in.ts'
import { problemOf, type Fault, type Problem } from '../graph/problem.ts'

interface ProblemAlertProps {
  error: unknown
  /** The faults that a form shows at its fields, which are not repeated here. */
  isShownElsewhere?: (fault: Fault) => boolean
  onRetry?: () => void
}

/** Says what happened, why, and under which ID the bank's logs mention it. */
export function ProblemAlert({ error, isShownElsewhere, onRetry }: ProblemAlertProps) {
  const problem = problemOf(error)
  const { code, message, requestId, approvalUrl, stepUp } = problem
  const faults = problem.faults.filter((fault) => !isShownElsewhere?.(fault))
  const isForbidden = code === 'FORBIDDEN' || code === 'INSUFFICIENT_SCOPE'
  return (
    <Alert
      role="alert"
      color={isForbidden ? 'gray' : 'red'}
      title={titleOf(problem, isForbidden)}
      icon={isForbidden ? <IconLock /> : <IconAlertCircle />}
    >
      <Text size="sm">{message}</Text>
      {faults.length > 0 && (
        <List size="sm" mt="xs">
          {faults.map(({ pointer, detail }) => (
            <List.Item key={`${pointer} ${detail}`}>
              {pointer && <Code>{pointer}</Code>} {detail}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="md" mt="xs">
        {approvalUrl && (
          <Button component="a" href={approvalUrl} target="_blank" rel="noreferrer" size="xs">
            Approve with your passkey
          </Button>
        )}
        {stepUp && (
          <Button size="xs" onClick={() => logIn(stepUp)}>
            Log in with your passkey
          </Button>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {code && (
          <Anchor
            size="xs"
            href={`/problems/${code.toLowerCase().replaceAll('_', '-')}`}
            target="_blank"
          >
            {code}
          </Anchor>
        )}
        {requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  )
}

function titleOf(
  { code, isRetryable, approvalUrl, stepUp }: Problem,
  isForbidden: boolean,
): string {
  if (isForbidden) return 'You may not see or do this'
  if (approvalUrl) return 'This needs your approval'
  if (stepUp) return 'This needs your passkey'
  if (code === null) return 'No answer from the bank'
  return isRetryable ? 'Not possible right now' : 'The bank rejected this'
}
