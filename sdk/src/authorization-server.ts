import * as oauth from 'oauth4webapi'
import { BankProblem } from './problem.ts'
import type { Proofs } from './proofs.ts'
import type { HeldToken } from './token-source.ts'

/**
 * Returns a token and its expiry from a response of the authorization server. Throws an Error if the
 * token is not bound to the key of the client, although it must be.
 */
export function heldFrom(
  { access_token: token, token_type: type, expires_in: seconds = 60 }: oauth.TokenEndpointResponse,
  proofs: Proofs | null,
): HeldToken {
  if (proofs && type !== 'dpop') throw new Error('The bank did not bind the token to a key.')
  return { token, expiresAt: Date.now() + seconds * 1000 }
}

/**
 * Reads the metadata of an authorization server. Plain HTTP is only for this machine. Throws a
 * `BankProblem` if there is none at this address, since a retry would find none as well.
 */
export async function authorizationServer(issuer: string) {
  const url = new URL(issuer)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const options = { [oauth.allowInsecureRequests]: isLocal }
  const response = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...options })
  if (response.status === 404) {
    await response.body?.cancel()
    throw refusal(
      `There is no authorization server at ${issuer}: \`issuer\` is the origin of the bank, such as ${url.origin}.`,
    )
  }
  return { server: await oauth.processDiscoveryResponse(url, response), options }
}

/**
 * Throws a `BankProblem` if the authorization server refused to issue a token, since a retry would be
 * refused as well; any other error as it is.
 */
export function throwRefusal(error: unknown): never {
  const title = refusalIn(error)
  if (title === null) throw error
  throw refusal(title)
}

const refusal = (title: string): BankProblem =>
  new BankProblem({ title, code: 'UNAUTHENTICATED', status: 401, retryable: false })

function refusalIn(error: unknown): string | null {
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const { error_description: description } = error.cause[0]?.parameters ?? {}
    return description ?? 'The bank does not accept these credentials.'
  }
  if (!(error instanceof oauth.ResponseBodyError) || error.status >= 500) return null
  return error.error_description ?? error.error
}
