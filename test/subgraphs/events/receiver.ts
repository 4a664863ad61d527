import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Socket } from 'node:net'

/** A request to a receiver, with its body as it was sent. */
export interface Got {
  headers: Record<string, string>
  body: string
  event: any
}

export type Answering = (got: Got, response: ServerResponse, nth: number) => unknown

export interface Receiver {
  url: string
  got: Got[]
  /** Sets how it responds from now on. */
  answer(next: Answering): void
  close(): Promise<void>
}

const ok: Answering = (_got, response) => response.writeHead(204).end()

/** A webhook receiver on this machine that records requests and responds as the test specifies. */
export async function aReceiver(first: Answering = ok): Promise<Receiver> {
  const got: Got[] = []
  let answering = first
  const server = createServer((request, response) => {
    void read(request).then((one) => {
      got.push(one)
      return answering(one, response, got.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    answer: (next) => void (answering = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage): Promise<Got> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  return { headers: request.headers as Record<string, string>, body, event: JSON.parse(body) }
}

/**
 * A server that sends raw bytes after the first data of each connection, without regard to HTTP.
 */
export async function aFloodingReceiver(
  send: (socket: Socket) => void,
): Promise<{ url: string; hits(): number; close(): Promise<void> }> {
  let hits = 0
  const sockets = new Set<Socket>()
  const server = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      hits++
      send(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    hits: () => hits,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
