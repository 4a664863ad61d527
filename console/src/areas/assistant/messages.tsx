import { useQuery } from '@apollo/client/react'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { Bubble, MessageBody } from './bubbles.tsx'
import { AssistMessagesDocument } from './queries.generated.ts'
import type { Session } from './records.ts'

interface MessagesProps {
  sessionId: string
  messages: NonNullable<Session['messages']>
}

/** A page of the messages, followed by those after it. */
export const Messages = ({ sessionId, messages: { nodes, pageInfo } }: MessagesProps) => (
  <>
    {nodes.map((message) => (
      <Bubble key={message.messageId} isOwn={message.role === 'user'}>
        <MessageBody message={message} />
      </Bubble>
    ))}
    {pageInfo.hasNextPage && <LaterMessages sessionId={sessionId} after={pageInfo.endCursor!} />}
  </>
)

function LaterMessages({ sessionId, after }: { sessionId: string; after: string }) {
  const { data, previousData, error } = useQuery(AssistMessagesDocument, {
    variables: { sessionId, after },
  })
  const messages = (data ?? previousData)?.assistSession?.messages
  if (messages) return <Messages sessionId={sessionId} messages={messages} />
  return error ? <ProblemAlert error={error} /> : <Lines />
}
