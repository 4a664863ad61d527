import { createClient, NetworkError } from 'graphql-sse'
import { credentialsOf, requestToken } from '../credentials.mjs'

/** The running server, asked as any client asks it. */
export class Server {
  readonly #env: string
  readonly address: string

  constructor(env: string) {
    this.#env = env
    this.address = new URL(credentialsOf(env).tokenEndpoint).origin
  }

  /** The data of a document. Throws what it was refused with. */
  async ask(query: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await this.#authorization()) },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await answer.json()) as Answer
    if (errors?.length) throw new Error(errors[0]!.message)
    return data!
  }

  /** What a subscription says, until the connection ends. */
  async *subscribe(query: string, variables: Record<string, unknown>): AsyncGenerator<Answer> {
    const client = createClient({
      url: `${this.address}/graphql`,
      headers: () => this.#authorization(),
      retryAttempts: 0,
    })
    try {
      yield* client.iterate({ query, variables }) as AsyncIterable<Answer>
    } catch (error) {
      throw await refusalOf(error)
    } finally {
      client.dispose()
    }
  }

  async #authorization(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await requestToken({ env: this.#env })}` }
  }
}

/** An answer of the graph. */
export interface Answer {
  data?: Record<string, unknown> | null
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[]
}

/** What the server will refuse again, whenever it is asked. */
export class Refused extends Error {}

/** A refusal in the server's own words; anything else, such as a lost connection, as it is. */
async function refusalOf(error: unknown): Promise<unknown> {
  const response = error instanceof NetworkError ? (error.response as Response | null) : null
  if (!response || response.status < 400 || response.status >= 500) return error
  const text = await response.text().catch(() => '')
  const messages = [...text.matchAll(/"message":("(?:[^"\\]|\\.)*")/g)]
  const message = messages[0]
    ? (JSON.parse(messages[0][1]!) as string)
    : `${response.status} ${text}`
  return new Refused(message)
}
