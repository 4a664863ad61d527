import { Button, Group } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../session/session.ts'

/**
 * Returns the agent as whom the person works, and a function that changes it. The bank does not link
 * log-ins with agents, so each browser remembers the person's own choice.
 */
export function useOwnAgent(): readonly [
  string | undefined,
  (agentId: string | undefined) => void,
] {
  const { username } = useSession().person
  const [agentId, setAgentId] = useLocalStorage({
    key: `bankgraph.agent.${username}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  return [agentId || undefined, (value) => setAgentId(value ?? '')]
}

/** Shows what is mine with one click, and remembers as which agent the person works. */
export function OwnAgent({
  isChosen,
  onChoose,
}: {
  /** The agent of the filter. */
  isChosen: string | undefined
  onChoose: (agentId: string | undefined) => void
}) {
  const [own, setOwn] = useOwnAgent()
  const isMine = own !== undefined && isChosen === own
  return (
    <Group gap="xs">
      {own && (
        <Button
          variant={isMine ? 'filled' : 'default'}
          aria-pressed={isMine}
          onClick={() => onChoose(isMine ? undefined : own)}
        >
          Mine
        </Button>
      )}
      {isChosen && isChosen !== own && (
        <Button variant="subtle" onClick={() => setOwn(isChosen)}>
          This is me
        </Button>
      )}
    </Group>
  )
}
