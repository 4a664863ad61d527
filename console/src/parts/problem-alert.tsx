import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core'
import { IconAlertCircle, IconLock } from '@tabler/icons-react'
import { logIn } from '../session/log-in.ts'
import { isForbidden, problemOf, type Fault } from '../graph/problem.ts'

/** Who can do what the person may not do alone. */
const hints: Readonly<Record<string, string>> = {
  LIMIT_OF_AUTHORITY_EXCEEDED:
    'Leave it to a colleague with a higher limit: it stays among what waits for a decision.',
  SEGREGATION_OF_DUTIES: 'Leave it to a colleague: it stays among what waits for a decision.',
}

interface ProblemAlertProps {
  error: unknown
  /** The faults that a form shows at its fields, which are not repeated here. */
  isShownElsewhere?: (fault: Fault) => boolean
  onRetry?: () => void
}

/** Says what happened, why, and under which ID the bank's logs mention it. */
export function ProblemAlert({ error, isShownElsewhere, onRetry }: ProblemAlertProps) {
  const problem = problemOf(error)
  const { title, code, message, requestId, approvalUrl, stepUp } = problem
  const faults = problem.faults.filter((fault) => !isShownElsewhere?.(fault))
  const isGray = isForbidden(problem)
  return (
    <Alert
      role="alert"
      color={isGray ? 'gray' : 'red'}
      title={title}
      icon={isGray ? <IconLock /> : <IconAlertCircle />}
    >
      <Text size="sm">
        {message} {code && hints[code]}
      </Text>
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
            c="inherit"
            underline="always"
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
