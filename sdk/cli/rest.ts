import { BankProblem, type ClientOptions } from '../src/index.ts'
import { Transport } from '../src/transport.ts'
import { Failure } from './failure.ts'
import { tokensOf, type Profile } from './profile.ts'

/**
 * Checks that a base URL has the documented operations: in the sandbox they begin with `/v1`. Throws a
 * Failure that says so.
 */
export async function requireBaseUrl(profile: Profile): Promise<void> {
  try {
    await sendRest(profile, 'GET', '/accounts?pageSize=1')
  } catch (error) {
    if (!(error instanceof BankProblem)) throw error
    // Any other rejection, such as a missing scope, is one of the operation itself.
    if (error.code !== 'ROUTE_NOT_FOUND') return
    throw new Failure(
      `${profile.url} has no documented operations. In the sandbox, the base URL ends with /v1.`,
    )
  }
}

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
