import { Problem } from '../domain/problem.ts'

/** Returns the problem of a request without a token. */
export function unauthenticated(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', { detail })
}

/** Returns the problem of a token that is not valid here. */
export function invalidToken(detail: string, options?: ErrorOptions): Problem {
  return new Problem('TOKEN_INVALID', { detail }, options)
}
