import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Bubble, Steps } from './bubbles.tsx'
import { Messages } from './messages.tsx'
import type { Session } from './records.ts'
import { Starters } from './starters.tsx'
import { useTurn } from './turn.ts'

/** The chat: what was said, the answer as it is being written, and the next question. */
export function Conversation({ session }: { session: Session }) {
  const messages = session.messages?.nodes ?? []
  const turn = useTurn(session.sessionId)
  // The answer may be among the messages before the mutation returns.
  const isStored = messages.some(
    ({ clientMessageId }) => clientMessageId === turn.question?.streamId,
  )
  const pending = isStored ? null : turn.question
  const end = useRef<HTMLDivElement>(null)
  const length = messages.length + turn.steps.length
  useEffect(() => {
    if (length > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [length])
  return (
    <Section title="Conversation">
      <div className="chat" role="log" aria-label="Messages">
        {session.messages && <Messages sessionId={session.sessionId} messages={session.messages} />}
        {pending && (
          <>
            <Bubble isOwn>
              <Text className="message">{pending.content}</Text>
            </Bubble>
            <Bubble>
              <Steps steps={turn.steps} />
            </Bubble>
          </>
        )}
        <div ref={end} />
      </div>
      {Boolean(turn.error) && <ProblemAlert error={turn.error} />}
      <NextStep session={session} turn={turn} isEmpty={messages.length === 0} />
    </Section>
  )
}

interface NextStepProps {
  session: Session
  turn: ReturnType<typeof useTurn>
  isEmpty: boolean
}

function NextStep({ session, turn, isEmpty }: NextStepProps) {
  const { status, toolCalls } = session
  if (status === 'AWAITING_APPROVAL') {
    const waiting = toolCalls?.find(({ state }) => state === 'AWAITING_APPROVAL')
    return (
      <Alert color="yellow" title="This waits for the approval of another person" mt="md">
        {waiting && `${readable(waiting.name)} was requested. `}The conversation goes on by itself
        once somebody decided, or 15 minutes after the request.
      </Alert>
    )
  }
  if (status !== 'ACTIVE') {
    return (
      <Alert color="gray" title="This conversation has ended" mt="md">
        Begin a new one to ask something else.
      </Alert>
    )
  }
  return (
    <Stack mt="md" gap="sm">
      {isEmpty && turn.question === null && <Starters session={session} onChoose={turn.ask} />}
      <Composer key={turn.rejected} turn={turn} />
    </Stack>
  )
}

function Composer({ turn }: { turn: ReturnType<typeof useTurn> }) {
  // What the bank rejected is not lost.
  const [text, setText] = useState(turn.rejected)
  const isRunning = turn.question !== null
  const send = () => {
    const question = text.trim()
    if (question === '' || isRunning) return
    setText('')
    turn.ask(question)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Group align="flex-end" wrap="nowrap">
        <Textarea
          className="question"
          aria-label="Your message"
          placeholder="Ask something. Shift+Enter starts a new line."
          autosize
          maxRows={8}
          maxLength={16_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <Button type="submit" loading={isRunning} leftSection={<IconSend size={16} />}>
          Send
        </Button>
      </Group>
    </form>
  )
}
