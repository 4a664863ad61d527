import { useEffect, useState } from 'react'
import { explored } from '../../graph/explored.ts'
import { readable } from '../../parts/format.ts'
import { Empty, Page } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { fetchAnswer } from '../../session/fetch.ts'
import { useSession } from '../../session/session.ts'

/** What the page of the explorer takes from the console. It is of the same origin. */
interface ExplorerHost {
  /** Returns the name of the session, which each request repeats. */
  session: () => string
  operation: () => object
}

/** GraphiQL, logged in as the person who uses the console, with the rights of this person. */
export function ExplorerPage() {
  const session = useSession()
  const { isServed, error, check } = useIsServed()
  useEffect(() => {
    const host: ExplorerHost = {
      session: () => session.person.handle,
      operation: () => explored.take() ?? {},
    }
    Object.assign(window, { bankgraphExplorer: host })
    return () => void Reflect.deleteProperty(window, 'bankgraphExplorer')
  }, [session])
  return (
    <Page
      title="Explorer"
      lead={`The graph as ${readable(session.person.username)} sees it. “Queries of this page” opens its operations here.`}
    >
      {error ? <ProblemAlert error={error} onRetry={check} /> : isServed === null && <Lines />}
      {isServed && <iframe src="/graphiql" title="GraphiQL" className="explorer" />}
      {isServed === false && (
        <Empty>The explorer is off here. The setting INTROSPECTION turns it on.</Empty>
      )}
    </Page>
  )
}

/** Asks whether the bank serves the explorer; `isServed` is null until it is known. */
function useIsServed() {
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<{ isServed: boolean | null; error?: unknown }>(unanswered)
  useEffect(() => {
    fetchAnswer('/graphiql', { method: 'HEAD' }).then(
      ({ ok }) => setAnswer({ isServed: ok }),
      (error: unknown) => setAnswer({ isServed: null, error }),
    )
  }, [attempt])
  const check = () => {
    setAnswer(unanswered)
    setAttempt((last) => last + 1)
  }
  return { ...answer, check }
}

const unanswered = { isServed: null }
