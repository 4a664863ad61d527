import { Badge, Group, Loader, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { readable } from '../../parts/format.ts'
import { Time } from '../../parts/values.tsx'
import type { Message } from './records.ts'
import type { Step } from './turn.ts'

/** What one side said. */
export const Bubble = ({ isOwn, children }: { isOwn?: boolean; children: ReactNode }) => (
  <div className={isOwn ? 'bubble own' : 'bubble'}>
    <Text span className="visually-hidden">
      {isOwn ? 'You:' : 'Assistant:'}
    </Text>
    {children}
  </div>
)

/** A message, with the sources of an answer. */
export const MessageBody = ({ message }: { message: Message }) => (
  <>
    <Text className="message">{message.content}</Text>
    <Group gap="xs" mt={4}>
      {message.status !== 'COMPLETED' && message.role !== 'user' && (
        <Badge variant="light" color="yellow" className="state">
          {readable(message.status)}
        </Badge>
      )}
      {message.citations.map(({ toolCallId, source }) => (
        <Badge key={toolCallId} variant="default" className="source" title={toolCallId}>
          {source}
        </Badge>
      ))}
      <Text size="xs" c="dimmed">
        <Time value={message.createdAt} />
      </Text>
    </Group>
  </>
)

/** The answer as far as it is known: what the assistant looks up, and its sentences. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const isBlocked = steps.some(({ kind }) => kind === 'BLOCKED')
  const text = steps.map(({ text: sentence }) => sentence ?? '').join('')
  return (
    <Stack gap={6}>
      {steps.map(
        ({ sequence, toolCall }) =>
          toolCall && (
            <Text key={sequence} size="sm" c="dimmed">
              {readable(toolCall.name)}: {readable(toolCall.status).toLowerCase()}
            </Text>
          ),
      )}
      {!isBlocked && text && <Text className="message">{text}</Text>}
      <Loader size={16} type="dots" aria-label="The assistant is answering" />
    </Stack>
  )
}
