import { createClient, NetworkError } from 'graphql-sse'
import { credentialsOf, requestToken } from '../credentials.mjs'

/** A client for the running server. */
export class ServerClient {
  readonly #env: string
  readonly address: string

  constructor(env: string) {
    this.#env = env
    this.address = new URL(credentialsOf(env).tokenEndpoint).origin
  }

  /** Runs a GraphQL document and returns its data. Throws the first error. */
  async queryGraph(
    query: string,
    variables: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await this.#authorization()) },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as GraphResponse
    if (errors?.length) throw new Error(errors[0]!.message)
    return data!
  }

  /** Yields the results of a subscription until the connection ends. */
  async *subscribe(
    query: string,
    variables: Record<string, unknown>,
  ): AsyncGenerator<GraphResponse> {
    const client = createClient({
      url: `${this.address}/graphql`,
      headers: () => this.#authorization(),
      retryAttempts: 0,
    })
    try {
      yield* client.iterate({ query, variables }) as AsyncIterable<GraphResponse>
    } catch (error) {
      throw await rejectionOf(error)
    } finally {
      client.dispose()
    }
  }

  async #authorization(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await requestToken({ env: this.#env })}` }
  }
}

/** A response of the graph. */
export interface GraphResponse {
  data?: Record<string, unknown> | null
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[]
}

/** The error for a request that the server would reject again if it were retried. */
export class RejectedError extends Error {}

/**
 * Returns a `RejectedError` with the server's own message if the server rejected the request.
 * Returns any other error, such as a lost connection, unchanged.
 */
async function rejectionOf(error: unknown): Promise<unknown> {
  const response = error instanceof NetworkError ? (error.response as Response | null) : null
  if (!response || response.status < 400 || response.status >= 500) return error
  const text = await response.text().catch(() => '')
  const messages = [...text.matchAll(/"message":("(?:[^"\\]|\\.)*")/g)]
  const message = messages[0]
    ? (JSON.parse(messages[0][1]!) as string)
    : `${response.status} ${text}`
  return new RejectedError(message)
}
