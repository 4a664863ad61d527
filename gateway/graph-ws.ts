import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ExecutionArgs, GraphQLError } from 'graphql'
import {
  CloseCode,
  handleProtocols,
  makeServer,
  type Context as SocketContext,
  type Server as GraphQLServer,
} from 'graphql-ws'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Caller } from '../kernel/authorization/caller.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { addressOf } from './address.ts'
import type { GraphServer } from './graph-http.ts'
import { readSubscription } from './graph-request.ts'
import { UnauthenticatedSockets, watchToken } from './admission.ts'
import { consoleGraphPath, requireOwnSocket, socketCaller } from './console-session/requests.ts'
import { closeReasonOf, shutdownReason, tooManyCode, verifiedCaller } from './socket-admission.ts'
import { operationOf } from './operation.ts'
import { documentOf } from './request-document.ts'
import { rawProblem } from './problem-body.ts'
import { RateLimiter, countClient } from './rate-limits.ts'
import type { Listener, EventSink } from './fan-out.ts'
import { countSubscription } from './measure-operation.ts'
import { rejectionOnSocket } from './refusals.ts'
import { textFrames } from './socket-frames.ts'

const maxMessageBytes = 64 * 1024
/** The maximum number of bytes that are buffered for a client that does not read. */
const maxUnreadBytes = 1024 * 1024
const maxSubscriptions = 20
/** The rate limit of incoming messages per socket, including pings. */
const messageLimit = { perSecond: 20, burst: 200 }
/** How long a client may take to acknowledge that the socket is closed. */
const closeTimeoutMs = 5000
const laggingCode = 4413

interface Extra {
  socket: WebSocket
  request: IncomingMessage
  end: End
  sink(id: string): EventSink
  /** The subscriptions that have not ended. */
  listeners: Set<Listener>
  /** Stops counting the socket as unauthenticated. */
  stopCounting(): void
  caller?: Caller
}

/** Closes a socket with a code and a reason, and ends its subscriptions immediately. */
type End = (code: number, reason: string) => void

type Socket = SocketContext<Record<string, unknown>, Extra>

/** The result of `onSubscribe`, which the library passes to `subscribe`. */
interface SubscriptionArgs extends ExecutionArgs {
  rootValue: Listener
}

/**
 * Serves subscriptions over the protocol `graphql-transport-ws` at `/graphql`. Clients send their
 * token in `connection_init` as `{"authorization": "Bearer …"}`, or a token that is bound to a key
 * as `{"authorization": "DPoP …", "dpop": "<proof>"}`, with a proof for a GET request. If the proof
 * needs a nonce, the reason of the code 4401 is `use_dpop_nonce <nonce>`. The pages of the console
 * connect to `/console/graphql` with their cookie, and send `{"session": "<handle>"}`. In addition to the codes of
 * the protocol, the server closes a socket with these codes:
 *
 * - 4401: the client has not sent a valid token. 4403: the token has expired or was revoked.
 * - 4429: the caller has too many sockets, or sends too many requests or too many messages on the
 *   socket, or its IP address has sent too many invalid tokens.
 * - 1001: the server is shutting down. The reason has the position after which all subscriptions of
 *   the socket resume.
 * - 4413: the client does not read. It can resume after the last position it received.
 *
 * An IP address with too many unauthenticated sockets gets an HTTP response with status 429
 * instead.
 */
export function serveGraphSockets(
  server: Server,
  endpoint: GraphServer,
  pingMs = 12_000,
): { close(): Promise<void> } {
  const protocol = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: (context) => admit(endpoint, context),
    onSubscribe: (context, id, payload) => prepareSubscription(endpoint, context, id, payload),
    subscribe: ((args: SubscriptionArgs) => args.rootValue) as never,
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Events are written as complete, uncompressed frames between the frames of the library.
    perMessageDeflate: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  const unauthenticated = new UnauthenticatedSockets()
  const listenersOf = new WeakMap<WebSocket, Set<Listener>>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    try {
      requireGraphPath(endpoint, request)
      const stopCounting = unauthenticated.enter(addressOf(endpoint.bank.config, request))
      socket.once('close', stopCounting)
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const listeners = new Set<Listener>()
        listenersOf.set(webSocket, listeners)
        connect(
          protocol,
          endpoint,
          { socket: webSocket, raw: socket, request, stopCounting, listeners },
          pingMs,
        )
      })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      socket.end(rawProblem(endpoint.bank, error))
    }
  })
  return {
    async close() {
      for (const client of sockets.clients) {
        closeOrTerminate(client, 1001, shutdownReason(listenersOf.get(client)))
      }
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

/**
 * Throws ROUTE_NOT_FOUND for a path without sockets, and CROSS_SITE_REQUEST for a socket of the
 * console that another site opens.
 */
function requireGraphPath({ bank, sessions }: GraphServer, request: IncomingMessage): void {
  const path = pathOf(request)
  if (sessions && path === consoleGraphPath) return requireOwnSocket(bank, request)
  if (path !== '/graphql') throw new Problem('ROUTE_NOT_FOUND')
}

const pathOf = ({ url }: IncomingMessage) => url?.split('?')[0]

/** Closes a socket, and terminates it if the client does not acknowledge the close in time. */
function closeOrTerminate(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), closeTimeoutMs).unref()
}

/**
 * Connects a socket to the protocol of the library. A protocol error of the client closes the
 * socket and is not logged as an error.
 */
function connect(
  protocol: GraphQLServer<Extra>,
  { bank }: GraphServer,
  {
    socket,
    raw,
    request,
    stopCounting,
    listeners,
  }: Pick<Extra, 'socket' | 'request' | 'stopCounting' | 'listeners'> & { raw: Duplex },
  pingMs: number,
): void {
  socket.on('error', (error) => bank.log.debug({ error: error.message }, 'a socket failed'))
  let notifyClosed: ReturnType<typeof protocol.opened> | undefined
  const end: End = (code, reason) => {
    closeOrTerminate(socket, code, reason)
    void notifyClosed?.(code, reason)
  }
  // Returns whether the client reads. Closes the socket of a client that does not.
  const checkReading = () => {
    const isOpen = socket.readyState === socket.OPEN
    if (isOpen && socket.bufferedAmount <= maxUnreadBytes) return true
    if (isOpen) end(laggingCode, 'Lagging: resume after the last position you received.')
    // The socket is already closing. Notify the library now, so that it starts no more streams.
    else void notifyClosed?.(CloseCode.InternalClientError, '')
    return false
  }
  notifyClosed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve, reject) => {
          if (!checkReading()) return resolve()
          socket.send(data, (error) => (error ? reject(error) : resolve()))
        }),
      close: end,
      onMessage(handle) {
        const messageLimiter = new RateLimiter(messageLimit)
        socket.on('message', (data) => {
          if (socket.readyState !== socket.OPEN) return
          // Messages are counted first, because each one can require the validation of a document.
          if (!messageLimiter.take('', performance.now()).isAllowed) {
            return end(tooManyCode, 'Too many messages.')
          }
          handle((data as Buffer).toString()).catch((error: Error) => {
            if (socket.readyState !== socket.OPEN) return
            bank.log.error({ error: error.message }, 'a socket message failed')
            end(CloseCode.InternalServerError, 'Internal error')
          })
        })
      },
    },
    { socket, request, end, stopCounting, listeners, sink: (id) => sinkOf(raw, checkReading, id) },
  )
  // The library responds to pings itself and does not call `send` for its responses.
  socket.on('ping', checkReading)
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const pingTimer = setInterval(() => {
    if (!isAlive) return end(laggingCode, 'No pong: resume after the last position you received.')
    isAlive = false
    socket.ping()
  }, pingMs)
  socket.on('close', (code, reason) => {
    clearInterval(pingTimer)
    void notifyClosed(code, String(reason))
  })
}

/**
 * Creates the sink that writes the events of a subscription to its socket, several frames in one
 * write. Payloads are shared by all listeners; only the ID of the subscription is added.
 */
function sinkOf(raw: Duplex, checkReading: () => boolean, id: string): EventSink {
  const prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`)
  const suffix = Buffer.from('}')
  return {
    get isDrained() {
      return raw.writableLength === 0
    },
    send(messages, onFlushed) {
      if (checkReading()) raw.write(textFrames(prefix, messages, suffix), onFlushed)
      else onFlushed?.()
    },
  }
}

async function admit(endpoint: GraphServer, context: Socket): Promise<boolean> {
  const { socket, request, end } = context.extra
  try {
    const { bank, sessions } = endpoint
    const parameters = context.connectionParams ?? {}
    const caller =
      sessions && pathOf(request) === consoleGraphPath
        ? await socketCaller(bank, sessions, request, parameters['session'])
        : await verifiedCaller(bank, request, parameters)
    // If the socket was closed during the verification, its close event has already passed and
    // would not remove it from the counts.
    if (socket.readyState !== socket.OPEN) return false
    countClient(endpoint.bank, null, caller)
    socket.on('close', endpoint.connections.enter(caller))
    socket.on(
      'close',
      watchToken(endpoint.bank, caller, (why) => end(CloseCode.Forbidden, why)),
    )
    context.extra.caller = caller
    context.extra.stopCounting()
    return true
  } catch (error) {
    end(...closeReasonOf(endpoint.bank, error))
    return false
  }
}

function prepareSubscription(
  server: GraphServer,
  context: Socket,
  id: string,
  payload: { query: string },
): SubscriptionArgs | GraphQLError[] {
  const { reader, graph, bank, subscriptions, fanOut } = server
  try {
    if (Object.keys(context.subscriptions).length > maxSubscriptions) {
      throw new Problem('RATE_LIMITED', {
        detail: `The maximum of ${maxSubscriptions} subscriptions per socket is reached. Complete one first.`,
      })
    }
    const request = readSubscription(payload)
    const operation = reader.read(documentOf(server, request), request.operationName)
    reader.checkVariables(operation, request.variables)
    if (operationOf(operation.document, operation.name)?.operation !== 'subscription') {
      throw new Problem('BAD_REQUEST', {
        detail: 'WebSockets accept only subscriptions. Send queries and mutations over HTTP.',
      })
    }
    const { caller, sink, listeners } = context.extra
    const subscription = subscriptions.prepare(operation, request.variables, caller!)
    const listener = fanOut.listen(subscription, sink(id))
    listeners.add(listener)
    listener.ended.addEventListener('abort', () => listeners.delete(listener), { once: true })
    listener.ended.addEventListener('abort', countSubscription(bank, 'websocket'), { once: true })
    return { schema: graph.apiSchema, document: operation.document, rootValue: listener }
  } catch (error) {
    return [rejectionOnSocket(bank, context.extra.caller!, error)]
  }
}
