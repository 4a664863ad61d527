import http from 'node:http'
import https from 'node:https'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'

/** An answer as it came, at most 8 MiB. */
export interface Posted {
  status: number
  text: string
}

const answerBytes = 8 * 1024 * 1024
const mostConnections = 64
const connectionLost = new Set(['ECONNRESET', 'EPIPE'])

/** Posts JSON to one address over connections that are kept. */
export class PostClient {
  readonly #url: URL
  readonly #agent: http.Agent
  readonly #request: typeof http.request

  constructor(url: URL) {
    const options = { keepAlive: true, maxSockets: mostConnections, scheduling: 'lifo' } as const
    const isSecure = url.protocol === 'https:'
    this.#url = url
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options)
    this.#request = isSecure ? https.request : http.request
  }

  /**
   * Promises the whole answer before the deadline. A repeatable request whose connection breaks is
   * sent once more over a new one, as the other end may have closed a kept connection in that moment.
   * Refuses with TIMEOUT, and with DEPENDENCY_UNAVAILABLE when nobody or nothing sensible answers.
   */
  async post(
    headers: Record<string, string>,
    body: Buffer,
    deadlineMs: number,
    isRepeatable: boolean,
  ): Promise<Posted> {
    const waitMs = deadlineMs - Date.now()
    if (waitMs <= 0) throw new Problem('TIMEOUT')
    const signal = AbortSignal.timeout(waitMs)
    try {
      return await this.#send(headers, body, signal, this.#agent).catch(
        (error: NodeJS.ErrnoException) => {
          if (!isRepeatable || signal.aborted || !connectionLost.has(error.code ?? '')) throw error
          // Every other kept connection may be as dead as this one was.
          return this.#send(headers, body, signal, false)
        },
      )
    } catch (cause) {
      throw new Problem(signal.aborted ? 'TIMEOUT' : 'DEPENDENCY_UNAVAILABLE', {}, { cause })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal,
    agent: http.Agent | false,
  ): Promise<Posted> {
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        agent,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': body.length,
          accept: 'application/json',
        },
      }
      const request = this.#request(this.#url, options, (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > answerBytes) request.destroy(new Error('The answer is larger than 8 MiB.'))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode!, text })
        })
        response.on('error', reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  }
}
