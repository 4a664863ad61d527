import { Agent, request as httpRequest } from 'node:http'
import { catalog, type ProblemCode } from '../../kernel/domain/problem.ts'
import '../../subgraphs/index.ts'

/** One call of the bank's API with an idempotency key. */
export interface BankRequest {
  key: string
  path: string
  body: object
}

export interface BankResponse {
  status: number
  /** The code of the problem; null when the request succeeded. */
  code: string | null
  text: string
  // Callers read bodies of any shape.
  body: any
}

/**
 * What a response means to the client: `done`; `refused` by a business rule; failed on `contention`,
 * so that the same request may succeed when it is repeated; or `unknown`, because no complete
 * response arrived.
 */
export type Outcome = 'done' | 'refused' | 'contention' | 'unknown'

export const postingInstructions = '/posting-instructions'
const timeoutMs = 15_000

const maxRepeats = 5

/** An HTTP client with kept-alive connections and a bearer token. It knows the public API only. */
export class BankClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 })
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  /** Sends a request to a process. Resolves with null when no complete response arrives. */
  send(address: string, { key, path, body }: BankRequest): Promise<BankResponse | null> {
    const payload = JSON.stringify(body)
    return new Promise((resolve) => {
      const sent = httpRequest(address + path, {
        method: 'POST',
        agent: this.#agent,
        timeout: timeoutMs,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
          'idempotency-key': key,
        },
      })
      sent.on('timeout', () => sent.destroy(new Error('timeout')))
      sent.on('error', () => resolve(null))
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => resolve(null))
        response.on('close', () => {
          const text = Buffer.concat(chunks).toString()
          resolve(response.complete ? responseOf(response.statusCode!, text) : null)
        })
      })
      sent.end(payload)
    })
  }

  /**
   * The data of a GraphQL operation, repeated with its key until the outcome is final, because processes
   * that have just started on a busy machine are slow. Throws when the operation is rejected.
   */
  async graph(address: string, key: string, query: string, variables: object = {}): Promise<any> {
    const request = graphRequest(key, query, variables)
    let response = await this.send(address, request)
    for (let left = maxRepeats; left > 0 && outcomeOf(response) !== 'done'; left--) {
      if (outcomeOf(response) === 'refused') break
      response = await this.send(address, request)
    }
    if (outcomeOf(response) !== 'done') throw new Error(`${query} ${response?.text}`)
    return response!.body.data
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A GraphQL operation as a request. */
export function graphRequest(key: string, query: string, variables: object): BankRequest {
  return { key, path: '/graphql', body: { query, variables } }
}

/** A posting instruction, or a batch of them, as a request of the documented REST operation. */
export function postingRequest(key: string, body: object): BankRequest {
  return { key, path: postingInstructions, body }
}

function responseOf(status: number, text: string): BankResponse {
  let body: any = null
  try {
    body = JSON.parse(text)
  } catch {
    // A body that is not JSON; its status is enough.
  }
  const [error] = body?.errors ?? []
  const code: string | null = error?.extensions?.code ?? (status >= 400 ? body?.code : null) ?? null
  return { status, code: status >= 400 ? (code ?? `HTTP ${status}`) : code, text, body }
}

/** Classifies a response; null stands for none. */
export function outcomeOf(response: BankResponse | null): Outcome {
  if (!response) return 'unknown'
  if (response.code === null) return 'done'
  const kind = catalog[response.code as ProblemCode]
  const isServerError = response.status >= 500 || (kind?.status ?? 500) >= 500
  return isServerError || 'retryable' in kind ? 'contention' : 'refused'
}
