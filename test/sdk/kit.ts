import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { clientCredentials, createBankClient, type BankClient } from '../../sdk/src/index.ts'
import type { ClientOptions } from '../../sdk/src/index.ts'
import type { Platform } from '../kit/platform.ts'

/** A client as the documentation creates it, with the credentials of the environment. */
export function aClient(
  { url, credentials, bank }: Platform,
  options: Partial<ClientOptions> & { webSocket?: unknown } = {},
): BankClient {
  const { clientId, clientSecret } = credentials
  return createBankClient({
    url: bank.environment === 'sandbox' ? `${url}/v1` : url,
    tokens: clientCredentials({ issuer: url, clientId, clientSecret }),
    ...options,
  })
}

/** A proxy between a client and the bank that misbehaves as the test says. */
export interface FaultyProxy {
  url: string
  /** Decides what happens to the next response: `pass` it on, or `drop` the connection. */
  faults: ('pass' | 'drop' | number)[]
  /** The requests that reached the bank. */
  requests: { method: string; path: string; key: string | undefined; body: string }[]
  /** Cuts all open connections, those of streams too. */
  cut(): void
  stop(): Promise<void>
}

/**
 * Starts a proxy. `drop` lets a request reach the bank, and loses its response: the worst case for a
 * client. A number is the status with which the proxy itself answers.
 */
export async function aFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const faults: FaultyProxy['faults'] = []
  const requests: FaultyProxy['requests'] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const fault = request.url!.startsWith('/.well-known') ? 'pass' : (faults.shift() ?? 'pass')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { method = '', url: path = '' } = request
      if (typeof fault === 'number') {
        response.writeHead(fault, { 'retry-after': '0' }).end('<html>Bad gateway</html>')
        return
      }
      requests.push({
        method,
        path,
        key: request.headers['idempotency-key'] as string,
        body: String(body),
      })
      void forward(target + path, method, request.headers as Record<string, string>, body).then(
        async (answer) => {
          if (fault === 'drop') {
            await answer.arrayBuffer()
            request.socket.destroy()
            return
          }
          const headers = [...answer.headers].filter(([name]) => !hopHeaders.has(name))
          response.writeHead(answer.status, Object.fromEntries(headers))
          for await (const chunk of answer.body ?? []) response.write(chunk)
          response.end()
        },
        () => request.socket.destroy(),
      )
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    const bank = connect(Number(port), hostname, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`]
      for (let at = 0; at < request.rawHeaders.length; at += 2) {
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`)
      }
      bank.write(`${lines.join('\r\n')}\r\n\r\n`)
      bank.write(head)
      socket.pipe(bank).pipe(socket)
    })
    for (const each of [bank, socket]) each.on('error', () => undefined)
    socket.on('close', () => bank.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    stop: () =>
      new Promise((resolve) => {
        sockets.forEach((socket) => socket.destroy())
        server.close(() => resolve())
      }),
  }
}

const hopHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
])

function forward(url: string, method: string, headers: Record<string, string>, body: Buffer) {
  const { host: _, connection: __, 'content-length': ___, ...kept } = headers
  return fetch(url, {
    method,
    headers: kept,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
}
