import { Problem } from '../domain/problem.ts'
import type { Context } from './context.ts'
import type { Envelope } from './envelope.ts'

/**
 * Creates a limit of what one request can have. The returned function counts one more, and throws
 * LIMIT_EXCEEDED if the request has had `max` already. `what` names them in the plural.
 */
export function requestLimit(max: number, what: string): (context: Context) => void {
  // Copies of a context share the envelope.
  const counts = new WeakMap<Envelope, number>()
  return ({ envelope }) => {
    const count = (counts.get(envelope) ?? 0) + 1
    counts.set(envelope, count)
    if (count > max) {
      const detail = `A request can have at most ${max} ${what}. Send several requests.`
      throw new Problem('LIMIT_EXCEEDED', { detail })
    }
  }
}
