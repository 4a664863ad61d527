import type { ClientOptions } from '../src/index.ts'
import { Transport } from '../src/transport.ts'
import { Failure } from './failure.ts'
import { tokensOf, type Profile } from './profile.ts'

/** Sends a request to any path below the base URL, and returns the body of the response. */
export async function sendRest(
  profile: Profile,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  idempotencyKey: string | null = null,
): Promise<unknown> {
  if (!path.startsWith('/'))
    throw new Failure(`A path begins with /, such as /accounts, not ${path}.`)
  const options: ClientOptions = { url: profile.url, tokens: tokensOf(profile) }
  const request = {
    operation: `${method} ${path}`,
    method,
    url: profile.url + path.replace(/^\/v1(?=\/)/, ''),
    idempotencyKey,
    ...(body && { body }),
  }
  return new Transport(options).send(request, async (response) => {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return isJson ? (JSON.parse(text) as unknown) : text
  })
}
