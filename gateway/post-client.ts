import { Pool } from 'undici'
import { Problem } from '../kernel/domain/problem.ts'

/** A complete response of at most 8 MiB. */
export interface PostResponse {
  status: number
  text: string
}

const maxResponseBytes = 8 * 1024 * 1024
const maxConnections = 64
const lostConnectionCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** An HTTP client that posts JSON to one URL over persistent connections. */
export class PostClient {
  readonly #url: URL
  #pool: Pool

  constructor(url: URL) {
    this.#url = url
    this.#pool = this.#open()
  }

  /**
   * Posts a request and returns the complete response. If the connection breaks, a repeatable
   * request is retried once over a new connection, because the server may just have closed an idle
   * connection. Throws TIMEOUT if the deadline passes, and DEPENDENCY_UNAVAILABLE if the request
   * fails.
   */
  async post(
    headers: Record<string, string>,
    body: Buffer,
    deadlineMs: number,
    isRepeatable: boolean,
  ): Promise<PostResponse> {
    const waitMs = deadlineMs - Date.now()
    if (waitMs <= 0) throw new Problem('TIMEOUT')
    const signal = AbortSignal.timeout(waitMs)
    const pool = this.#pool
    try {
      return await this.#send(pool, headers, body, signal).catch((error: Error) => {
        const isLost = lostConnectionCodes.has((error as NodeJS.ErrnoException).code ?? '')
        if (!isRepeatable || signal.aborted || !isLost) throw error
        // The other idle connections of the pool may also be closed.
        if (this.#pool === pool) {
          this.#pool = this.#open()
          void pool.close()
        }
        return this.#send(this.#pool, headers, body, signal)
      })
    } catch (cause) {
      throw new Problem(signal.aborted ? 'TIMEOUT' : 'DEPENDENCY_UNAVAILABLE', {}, { cause })
    }
  }

  close(): void {
    void this.#pool.destroy()
  }

  #open(): Pool {
    return new Pool(this.#url.origin, {
      connections: maxConnections,
      maxResponseSize: maxResponseBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async #send(
    pool: Pool,
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<PostResponse> {
    const { pathname, search } = this.#url
    const response = await pool.request({
      path: pathname + search,
      method: 'POST',
      signal,
      body,
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    })
    return { status: response.statusCode, text: await response.body.text() }
  }
}
