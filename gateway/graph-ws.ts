import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
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
import { addressOf } from './address.ts'
import type { GraphDoor } from './graph-http.ts'
import { Strangers, watchToken } from './admission.ts'
import { refuseToken } from './envelope.ts'
import { operationOf } from './operation.ts'
import { rawProblem } from './problem-body.ts'
import { Buckets, countClient } from './rate-limits.ts'
import type { Listener, Outlet } from './fan-out.ts'
import { noteAtDoor } from './refusals.ts'
import { textFrames } from './socket-frames.ts'

const frameBytes = 64 * 1024
/** What may wait in this process for a client that does not read. */
const unreadBytes = 1024 * 1024
const mostSubscriptions = 20
/** Messages of one socket: pings, and subscriptions that begin and end. */
const messageLimit = { perSecond: 20, burst: 200 }
/** How long a client has to take the goodbye. */
const goodbyeMs = 5000
const wantedAtFirst = 'Send {"authorization": "Bearer <token>"} as the payload of connection_init.'
const lagging = 4413
const tooMany = 4429

interface Extra {
  socket: WebSocket
  request: IncomingMessage
  end: End
  outlet(id: string): Outlet
  /** It is a stranger no more. */
  known(): void
  caller?: Caller
}

/** Closes a socket for a reason, and ends its subscriptions at once. */
type End = (code: number, reason: string) => void

type Socket = SocketContext<Record<string, unknown>, Extra>

/** What `onSubscribe` settled and `subscribe` runs. */
interface Prepared extends ExecutionArgs {
  rootValue: Listener
}

/**
 * Serves subscriptions over `graphql-transport-ws` at `/graphql`. The token comes in
 * `connection_init` as `{"authorization": "Bearer …"}`; the socket is closed with 4401 without a
 * good one, with 4403 when it expires or is revoked, with 4429 when the caller has too many or asks
 * too often, or their address showed too many that are not good, and with 4413 when the client does
 * not read: it resumes after the last position it has. An address with too many sockets that have
 * not said whose they are gets no more: 429.
 */
export function serveGraphSockets(
  server: Server,
  door: GraphDoor,
  pingMs = 12_000,
): { close(): Promise<void> } {
  const protocol = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: (context) => admit(door, context),
    onSubscribe: (context, id, payload) => prepareSubscription(door, context, id, payload),
    subscribe: ((args: Prepared) => args.rootValue) as never,
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: frameBytes,
    // Events are written as whole frames beside those of the library.
    perMessageDeflate: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  const strangers = new Strangers()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (request.url?.split('?')[0] !== '/graphql') {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    try {
      const known = strangers.enter(addressOf(door.bank.config, request))
      socket.once('close', known)
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        connect(protocol, door, { socket: webSocket, raw: socket, request, known }, pingMs)
      })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      socket.end(rawProblem(door.bank, error))
    }
  })
  return {
    async close() {
      for (const client of sockets.clients) say(client, 1001, 'The server stops.')
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

/** Says goodbye; who does not take it is cut off. */
function say(socket: WebSocket, code: number, goodbye: string): void {
  socket.close(code, goodbye)
  setTimeout(() => socket.terminate(), goodbyeMs).unref()
}

/** Carries one socket's frames to the protocol and back. What a client does wrong closes its socket and is no news to us. */
function connect(
  protocol: GraphQLServer<Extra>,
  { bank }: GraphDoor,
  { socket, raw, request, known }: Pick<Extra, 'socket' | 'request' | 'known'> & { raw: Duplex },
  pingMs: number,
): void {
  socket.on('error', (error) => bank.log.debug({ error: error.message }, 'a socket failed'))
  let closed: ReturnType<typeof protocol.opened> | undefined
  const end: End = (code, reason) => {
    say(socket, code, reason)
    void closed?.(code, reason)
  }
  const isReading = () => {
    const isOpen = socket.readyState === socket.OPEN
    if (isOpen && socket.bufferedAmount <= unreadBytes) return true
    if (isOpen) end(lagging, 'Lagging: resume after the last position you have.')
    // Who has begun to leave takes nothing more: its streams would run on for nobody.
    else void closed?.(CloseCode.InternalClientError, '')
    return false
  }
  closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve, reject) => {
          if (!isReading()) return resolve()
          socket.send(data, (error) => (error ? reject(error) : resolve()))
        }),
      close: end,
      onMessage(handle) {
        const messages = new Buckets(messageLimit)
        socket.on('message', (data) => {
          if (socket.readyState !== socket.OPEN) return
          // Before anything is done for it: each could cost a document's validation.
          if (!messages.take('', performance.now()).isWithin) {
            return end(tooMany, 'Too many messages.')
          }
          handle((data as Buffer).toString()).catch((error: Error) => {
            if (socket.readyState !== socket.OPEN) return
            bank.log.error({ error: error.message }, 'a message on a socket failed')
            end(CloseCode.InternalServerError, 'Internal error')
          })
        })
      },
    },
    { socket, request, end, known, outlet: (id) => outletOf(raw, isReading, id) },
  )
  // A ping of the client is answered by the library, outside of `send`.
  socket.on('ping', isReading)
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const pinging = setInterval(() => {
    if (!isAlive) return end(lagging, 'Silent: resume after the last position you have.')
    isAlive = false
    socket.ping()
  }, pingMs)
  socket.on('close', (code, reason) => {
    clearInterval(pinging)
    void closed(code, String(reason))
  })
}

/**
 * Writes a subscription's events to its socket: whole frames, several in one write, of which only
 * the subscription's id was not there before.
 */
function outletOf(raw: Duplex, isReading: () => boolean, id: string): Outlet {
  const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`)
  const after = Buffer.from('}')
  return {
    get isDrained() {
      return raw.writableLength === 0
    },
    send(messages, taken) {
      if (isReading()) raw.write(textFrames(before, messages, after), taken)
      else taken?.()
    },
  }
}

async function admit(door: GraphDoor, context: Socket): Promise<boolean> {
  const { socket, request, end } = context.extra
  const { authorization, Authorization } = context.connectionParams ?? {}
  try {
    const caller = await verified(door, request, authorization ?? Authorization)
    // It may have gone while its token was read, and would never leave again.
    if (socket.readyState !== socket.OPEN) return false
    countClient(door.bank, null, caller)
    socket.on('close', door.listeners.enter(caller))
    socket.on(
      'close',
      watchToken(door.bank, caller, (why) => end(CloseCode.Forbidden, why)),
    )
    context.extra.caller = caller
    context.extra.known()
    return true
  } catch (error) {
    end(...goodbyeTo(door, error))
    return false
  }
}

/** Why a socket is not admitted: what is the caller's to mend is said, what is ours is not. */
function goodbyeTo({ bank }: GraphDoor, error: unknown): [code: number, reason: string] {
  if (!(error instanceof Problem)) {
    bank.log.error({ error }, 'a socket was not admitted')
    return [CloseCode.InternalServerError, 'Something went wrong here.']
  }
  if (error.code === 'RATE_LIMITED') return [tooMany, error.message.slice(0, 100)]
  if (error.code === 'UNAUTHENTICATED') return [CloseCode.Unauthorized, wantedAtFirst]
  return [CloseCode.Unauthorized, error.message.slice(0, 100)]
}

async function verified(
  { bank }: GraphDoor,
  request: IncomingMessage,
  authorization: unknown,
): Promise<Caller> {
  try {
    return await bank.verifier.verify(typeof authorization === 'string' ? authorization : undefined)
  } catch (error) {
    return refuseToken(bank, null, request, error)
  }
}

function prepareSubscription(
  { reader, graph, bank, subscriptions, fanOut }: GraphDoor,
  context: Socket,
  id: string,
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
    reader.checkVariables(operation, payload.variables)
    if (operationOf(operation.document, operation.name)?.operation !== 'subscription') {
      throw new Problem('BAD_REQUEST', {
        detail: 'The WebSocket carries subscriptions only; send queries and mutations over HTTP.',
      })
    }
    const variables = payload.variables ?? {}
    const { caller, outlet } = context.extra
    const subscription = subscriptions.prepare(operation, variables, caller!)
    const listener = fanOut.listen(subscription, outlet(id))
    return { schema: graph.apiSchema, document: operation.document, rootValue: listener }
  } catch (error) {
    noteAtDoor(bank, null, context.extra.caller!, error)
    const { message, extensions } = formatError(error, bank.log)
    return [new GraphQLError(message, { extensions })]
  }
}
