import { Button, Group, Modal, Text } from '@mantine/core'
import { readable } from '../parts/format.ts'
import { logIn } from '../session/log-in.ts'
import { useInterruption, useSession } from '../session/session.ts'

/** Interrupts the work if the session ended or another person logged in; nothing typed is lost. */
export function Interrupted() {
  const { person } = useSession()
  const interruption = useInterruption()
  const name = readable(person.username)
  const isOther = interruption === 'other-person'
  return (
    <Modal
      opened={interruption !== null}
      onClose={() => undefined}
      withCloseButton={false}
      centered
      title={isOther ? 'Another person is logged in' : 'Your session has ended'}
    >
      <Text>
        {isOther
          ? `Somebody else logged in in this browser, so this tab can no longer act for ${name}.`
          : 'Log in again to continue. What you typed is kept.'}
      </Text>
      <Group justify="flex-end" mt="lg">
        {isOther && (
          <Button variant="default" onClick={() => location.reload()}>
            Continue as the other person
          </Button>
        )}
        <Button onClick={() => logIn({ username: person.username })}>Log in as {name}</Button>
      </Group>
    </Modal>
  )
}
