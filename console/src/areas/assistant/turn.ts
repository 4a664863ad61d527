import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { useCommand } from '../../graph/command.ts'
import { problemOf } from '../../graph/problem.ts'
import {
  AssistTurnDocument,
  SendAssistMessageDocument,
  type AssistTurnQuery,
} from './queries.generated.ts'

export type Step = NonNullable<AssistTurnQuery['assistTurn']>['frames'][number]

/** A question that was sent; it stays in the session of the tab until its answer is known. */
interface Question {
  content: string
  /** Identifies the message and the stream of its steps. */
  streamId: string
}

/** Sends questions and follows the steps of the answer. */
export interface Turn {
  /** The question whose answer is not known yet; null if there is none. */
  question: Question | null
  steps: readonly Step[]
  error: unknown
  /** The last question, if the bank rejected it; otherwise empty. */
  rejected: string
  ask(content: string): void
}

/**
 * The turns of a session. A question is answered once: its ID and its idempotency key survive a lost
 * connection and a reload, after which the page waits for the same answer.
 */
export function useTurn(sessionId: string): Turn {
  const client = useApolloClient()
  const { run, error } = useCommand(SendAssistMessageDocument, `assist:${sessionId}`)
  const [question, setQuestion] = useState(() => storedQuestion(sessionId))
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [rejected, setRejected] = useState('')

  useEffect(() => {
    if (!question) return
    const { content, streamId } = question
    const stop = followSteps(client, { sessionId, streamId }, (more) =>
      setSteps((old) => [...old, ...more]),
    )
    const send = () => run({ input: { sessionId, content, streamId, clientMessageId: streamId } })
    void answerTo(send).then((isAnswered) => {
      stop()
      sessionStorage.removeItem(storageKey(sessionId))
      setRejected(isAnswered ? '' : content)
      setSteps([])
      setQuestion(null)
    })
    return stop
  }, [client, run, sessionId, question])

  const ask = (content: string) => {
    const next = { content, streamId: crypto.randomUUID() }
    sessionStorage.setItem(storageKey(sessionId), JSON.stringify(next))
    setRejected('')
    setQuestion(next)
  }
  return { question, steps, error, rejected, ask }
}

/** Sends a question until its answer is there. Returns whether the bank answered it. */
async function answerTo(send: () => Promise<{ data: unknown } | { error: unknown }>) {
  for (;;) {
    const outcome = await send()
    if ('data' in outcome) return true
    if (problemOf(outcome.error).code !== 'IDEMPOTENCY_IN_PROGRESS') return false
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

const retryMs = 1000
const storageKey = (sessionId: string) => `bankgraph.question.${sessionId}`

function storedQuestion(sessionId: string): Question | null {
  const stored = sessionStorage.getItem(storageKey(sessionId))
  return stored ? (JSON.parse(stored) as Question) : null
}

/** Calls back with the steps of a turn as they happen, until the turn is over or it is stopped. */
function followSteps(
  client: ApolloClient,
  turn: { sessionId: string; streamId: string },
  onSteps: (steps: readonly Step[]) => void,
): () => void {
  let isStopped = false
  const follow = async () => {
    let after = 0
    while (!isStopped) {
      const { data } = await client.query({
        query: AssistTurnDocument,
        variables: { ...turn, after },
        fetchPolicy: 'no-cache',
      })
      if (isStopped || !data?.assistTurn) return
      const { frames, isOver } = data.assistTurn
      onSteps(frames)
      after = frames.at(-1)?.sequence ?? after
      if (isOver) return
    }
  }
  // Without the steps, the answer still arrives.
  void follow().catch(() => undefined)
  return () => (isStopped = true)
}
