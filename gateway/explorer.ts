import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { sandboxDocument } from './sandbox-document.ts'

/**
 * In a frame of the console, requests are sent to the graph of the console, with the session of the
 * person who is logged in there, and the console chooses the document. A page of another origin
 * cannot frame this one.
 */
const script = `<script>
  const frame = window.parent === window ? undefined : window.parent.bankgraphExplorer
  if (frame) {
    const send = window.fetch
    window.fetch = async (resource, options = {}) => {
      const headers = new Headers(options.headers)
      const url = new URL(resource instanceof Request ? resource.url : resource, location.href)
      // The name of the session is for the graph of this server only.
      const isGraph = url.origin === location.origin && url.pathname === '/graphql'
      if (!isGraph || headers.has('authorization')) return send(resource, options)
      headers.set('x-console-session', frame.session())
      return send('/console/graphql', { ...options, headers })
    }
  }
  const startGraphiQL = (root, options) => {
    const framed = { ...options, headers: undefined, shouldPersistHeaders: false }
    YogaGraphiQL.renderYogaGraphiQL(root, frame ? { ...framed, ...frame.operation() } : options)
  }
</script>`

const startCall = 'YogaGraphiQL.renderYogaGraphiQL('

/** Returns the page of GraphiQL, which the gateway serves at `/graphiql`. */
export function renderExplorer(): string {
  const page = renderGraphiQL({
    title: 'bankgraph',
    endpoint: '/graphql',
    defaultQuery: sandboxDocument,
    subscriptionsProtocol: 'SSE',
    shouldPersistHeaders: true,
    headers: JSON.stringify({ authorization: 'Bearer <token>' }),
  })
  const head = page.indexOf('</title>') + '</title>'.length
  const start = page.lastIndexOf(startCall)
  const before = page.slice(head, start)
  return `${page.slice(0, head)}${script}${before}startGraphiQL(${page.slice(start + startCall.length)}`
}
