import { useEffect, useState } from 'react'
import { explored } from '../../graph/explored.ts'
import { Empty, Page } from '../../parts/page.tsx'
import { Lines } from '../../parts/query.tsx'
import { useSession } from '../../session/session.ts'

/** What the page of the explorer takes from the console. It is of the same origin. */
interface ExplorerHost {
  token: () => Promise<string>
  operation: () => object
}

/** GraphiQL, logged in as the person who uses the console, with the rights of this person. */
export function ExplorerPage() {
  const session = useSession()
  const isServed = useIsServed()
  useEffect(() => {
    const host: ExplorerHost = {
      token: () => session.token(),
      operation: () => explored.take() ?? {},
    }
    Object.assign(window, { bankgraphExplorer: host })
    return () => void Reflect.deleteProperty(window, 'bankgraphExplorer')
  }, [session])
  return (
    <Page
      title="Explorer"
      lead={`The graph as ${session.person.username} sees it. “Queries of this page” opens its operations here.`}
    >
      {isServed === null && <Lines />}
      {isServed && <iframe src="/graphiql" title="GraphiQL" className="explorer" />}
      {isServed === false && (
        <Empty>The explorer is off here. The setting INTROSPECTION turns it on.</Empty>
      )}
    </Page>
  )
}

/** Whether the bank serves the explorer; null until it is known. */
function useIsServed(): boolean | null {
  const [isServed, setIsServed] = useState<boolean | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    fetch('/graphiql', { method: 'HEAD', signal: abort.signal }).then(
      ({ ok }) => setIsServed(ok),
      () => undefined,
    )
    return () => abort.abort()
  }, [])
  return isServed
}
