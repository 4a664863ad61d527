import * as oauth from 'oauth4webapi'
import { BankProblem } from './problem.ts'
import type { HeldToken } from './token-source.ts'

/** Returns a token and its expiry from a response of the authorization server. */
export const heldFrom = ({
  access_token: token,
  expires_in: seconds = 60,
}: oauth.TokenEndpointResponse): HeldToken => ({ token, expiresAt: Date.now() + seconds * 1000 })

/** Reads the metadata of an authorization server. Plain HTTP is only for this machine. */
export async function authorizationServer(issuer: string) {
  const url = new URL(issuer)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const options = { [oauth.allowInsecureRequests]: isLocal }
  const response = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...options })
  return { server: await oauth.processDiscoveryResponse(url, response), options }
}

/**
 * Throws a `BankProblem` if the authorization server refused to issue a token, since a retry would be
 * refused as well; any other error as it is.
 */
export function throwRefusal(error: unknown): never {
  const title = refusalIn(error)
  if (title === null) throw error
  throw new BankProblem({ title, code: 'UNAUTHENTICATED', status: 401, retryable: false })
}

function refusalIn(error: unknown): string | null {
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const { error_description: description } = error.cause[0]?.parameters ?? {}
    return description ?? 'The bank does not accept these credentials.'
  }
  if (!(error instanceof oauth.ResponseBodyError) || error.status >= 500) return null
  return error.error_description ?? error.error
}
