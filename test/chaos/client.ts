import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPosting } from './postings.ts'
import type { Place } from './program.ts'

/** A notification or posting that was sent, with its response if one arrived. */
export interface TestRequest {
  key: string
  path: string
  body: object
  answer: { status: number; text: string } | null
}

/** A client of the sandbox with a token of its own. It uses only the public API. */
export class SandboxClient {
  readonly #address: string
  readonly #token: string

  constructor(address: string, token: string) {
    this.#address = address
    this.#token = token
  }

  /** Requests a token as any client does. */
  static async of({ dataDir, sandboxPort }: Place): Promise<SandboxClient> {
    const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'))
    const { clientId, clientSecret, tokenEndpoint } = credentials.sandbox
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = await fetch(tokenEndpoint, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    return new SandboxClient(`http://127.0.0.1:${sandboxPort}`, token)
  }

  /** Sends the request with its idempotency key. Throws when no complete response arrives. */
  async queryGraph({ key, path, body }: TestRequest): Promise<{ status: number; text: string }> {
    const headers = { 'idempotency-key': key, 'x-request-id': key }
    const answer = await this.#send(path, body, headers)
    return { status: answer.status, text: await answer.text() }
  }

  /** Returns the data of a GraphQL operation. Throws its errors. */
  async graph(query: string, variables: object = {}): Promise<any> {
    const answer = await this.#send('/graphql', { query, variables })
    const { data, errors } = (await answer.json()) as { data: any; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }

  #send(path: string, body: object, headers: object = {}): Promise<Response> {
    return fetch(this.#address + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    })
  }
}

export const notifications = '/v1/notifications'
export const partyId = 'pty_chaos'
const templateCode = 'chaos'

/** Creates the recipient and the template of the notifications. */
export async function seedSample(client: SandboxClient): Promise<void> {
  await client.graph(
    `mutation ($partyId: ID!) { createParty(input: { partyId: $partyId, kind: PERSON,
      givenName: "Ada", familyName: "Lovelace", contactPoints: [{ channel: EMAIL,
      address: "ada@example.com", verified: true }] }) { partyId } }`,
    { partyId },
  )
  await client.graph(
    `mutation ($code: Label!) { createNotificationTemplate(input: { templateId: "tpl_chaos",
      templateCode: $code, channel: EMAIL, status: "active" }) { templateId } }`,
    { code: templateCode },
  )
}

/** A notification with a unique subject that identifies it. Half are sent at once, half tomorrow. */
function newNotification(random: () => number): TestRequest {
  const subject = randomBytes(12).toString('hex')
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { partyId, channel: 'email', templateCode, subject }
  return {
    key: `key-${subject}`,
    path: notifications,
    body: random() < 0.5 ? body : { ...body, sendAt },
    answer: null,
  }
}

/** Sends new requests one after the other until `signal` aborts or the program no longer responds. */
export async function load(
  client: SandboxClient,
  request: TestRequest[],
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const one = random() < 0.5 ? newNotification(random) : newPosting(random)
    request.push(one)
    try {
      one.answer = await client.queryGraph(one)
    } catch {
      // The result is unknown: the request is repeated with its key after the next start.
      return
    }
    await sleep(random() * 6)
  }
}
