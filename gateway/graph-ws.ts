import type { IncomingMessage, Server } from 'node:http'
import { GraphQLError, type ExecutionArgs } from 'graphql'
import {
  CloseCode,
  handleProtocols,
  makeServer,
  type Context as SocketContext,
  type Server as GraphQLServer,
} from 'graphql-ws'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { formatError } from '../subgraphs/_kernel/graph/errors.ts'
import type { GraphDoor } from './graph-http.ts'
import { operationOf } from './operation.ts'
import { requireStorable } from './limits.ts'
import type { EventStream } from './subscriptions.ts'

const frameBytes = 64 * 1024
const mostSubscriptions = 20
const pingMs = 12_000

interface Extra {
  socket: WebSocket
  request: IncomingMessage
  caller?: Caller
}

type Socket = SocketContext<Record<string, unknown>, Extra>

/** What `onSubscribe` settled and `subscribe` runs. */
interface Prepared extends ExecutionArgs {
  rootValue: EventStream
}

/**
 * Serves subscriptions over `graphql-transport-ws` at `/graphql`. The token comes in
 * `connection_init` as `{"authorization": "Bearer …"}`; the socket is closed with 4401 without a
 * good one, and with 4403 when it expires.
 */
export function serveGraphSockets(server: Server, door: GraphDoor): { close(): Promise<void> } {
  const protocol = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: (context) => admit(door, context),
    onSubscribe: (context, _id, payload) => prepareSubscription(door, context, payload),
    subscribe: ((args: Prepared) => args.rootValue) as never,
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: frameBytes,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (request.url?.split('?')[0] !== '/graphql') {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      connect(protocol, door, webSocket, request)
    })
  })
  return {
    async close() {
      for (const client of sockets.clients) client.close(1001, 'The server stops.')
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

/** Carries one socket's frames to the protocol and back. What a client does wrong closes its socket and is no news to us. */
function connect(
  protocol: GraphQLServer<Extra>,
  { bank }: GraphDoor,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  socket.on('error', (error) => bank.log.debug({ error: error.message }, 'a socket failed'))
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve, reject) => {
          if (socket.readyState !== socket.OPEN) return resolve()
          socket.send(data, (error) => (error ? reject(error) : resolve()))
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage(handle) {
        socket.on('message', (data) => {
          handle((data as Buffer).toString()).catch((error: Error) => {
            bank.log.error({ error: error.message }, 'a message on a socket failed')
            socket.close(CloseCode.InternalServerError, 'Internal error')
          })
        })
      },
    },
    { socket, request },
  )
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const pinging = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingMs)
  socket.on('close', (code, reason) => {
    clearInterval(pinging)
    void closed(code, String(reason))
  })
}

async function admit(door: GraphDoor, context: Socket): Promise<boolean> {
  const { socket } = context.extra
  const { authorization, Authorization } = context.connectionParams ?? {}
  try {
    const caller = await door.bank.verifier.verify((authorization ?? Authorization) as string)
    context.extra.caller = caller
    const expiry = setTimeout(
      () => socket.close(CloseCode.Forbidden, 'The token has expired.'),
      Math.min(caller.expiresAt - Date.now(), 2 ** 31 - 1),
    )
    socket.on('close', () => clearTimeout(expiry))
    return true
  } catch (error) {
    if (!(error instanceof Problem)) door.bank.log.error({ error }, 'a socket was not admitted')
    socket.close(CloseCode.Unauthorized, (error as Error).message.slice(0, 100))
    return false
  }
}

function prepareSubscription(
  { reader, graph, bank, subscriptions }: GraphDoor,
  context: Socket,
  payload: {
    query: string
    operationName?: string | null
    variables?: Record<string, unknown> | null
  },
): Prepared | GraphQLError[] {
  try {
    if (Object.keys(context.subscriptions).length > mostSubscriptions) {
      throw new Problem('RATE_LIMITED', {
        detail: `A socket carries at most ${mostSubscriptions} subscriptions.`,
      })
    }
    const operation = reader.read(payload.query, payload.operationName)
    requireStorable(payload.variables)
    if (operationOf(operation.document, operation.name)?.operation !== 'subscription') {
      throw new Problem('BAD_REQUEST', {
        detail: 'The WebSocket carries subscriptions only; send queries and mutations over HTTP.',
      })
    }
    const variables = payload.variables ?? {}
    const stream = subscriptions.start(operation, variables, context.extra.caller!)
    return { schema: graph.apiSchema, document: operation.document, rootValue: stream }
  } catch (error) {
    const { message, extensions } = formatError(error, bank.log)
    return [new GraphQLError(message, { extensions })]
  }
}
