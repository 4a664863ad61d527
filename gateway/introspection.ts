import { execute, Kind, visit, type DocumentNode, type GraphQLSchema } from 'graphql'
import type { Bank } from '../kernel/environment/bank.ts'
import { Problem } from '../kernel/domain/problem.ts'
import type { Operation } from './operation.ts'
import { RateLimiter } from './rate-limits.ts'

const maxCached = 50
const maxCachedCharacters = 20_000_000

/** Whether introspection is on. By default it is on, except in live with a public URL. */
export function isIntrospectionOn({ environment, config }: Bank): boolean {
  return config.introspection ?? !(environment === 'live' && config.publicUrls.live)
}

/**
 * Executes introspection queries. Each can take up to 50 ms of the thread that all clients of both
 * environments share. Results are therefore cached per document and variables, and queries without
 * a cached result are rate-limited per IP address and in total.
 */
export class Introspection {
  readonly isOn: boolean
  readonly #schema: GraphQLSchema
  readonly #results = new Map<string, string>()
  #cachedCharacters = 0
  readonly #addressLimiter = new RateLimiter({ perSecond: 1, burst: 10 })
  readonly #totalLimiter = new RateLimiter({ perSecond: 2, burst: 20 })

  constructor(schema: GraphQLSchema, isOn: boolean) {
    this.#schema = schema
    this.isOn = isOn
  }

  /** Throws GRAPHQL_VALIDATION_FAILED if introspection is off and the document uses it. */
  requireAllowed(document: DocumentNode): void {
    if (this.isOn) return
    visit(document, {
      [Kind.FIELD]({ name: { value: name } }) {
        if (name !== '__schema' && name !== '__type') return
        const detail = 'Introspection is off. Read the schema in the documentation instead.'
        throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail })
      },
    })
  }

  /** Executes a validated document and returns the result as JSON. Throws RATE_LIMITED. */
  async answer(operation: Operation, variables: object, address: string): Promise<string> {
    const key = `${operation.hash} ${operation.name ?? ''} ${JSON.stringify(variables)}`
    const cached = this.#results.get(key)
    if (cached !== undefined) return cached
    this.#count(address)
    const { document, name: operationName } = operation
    const request = { schema: this.#schema, document, variableValues: { ...variables } }
    const text = JSON.stringify(
      await execute({ ...request, ...(operationName && { operationName }) }),
    )
    this.#retain(key, text)
    return text
  }

  #count(address: string): void {
    const now = performance.now()
    const limitStates = [
      this.#addressLimiter.take(address, now),
      this.#totalLimiter.take('all', now),
    ]
    for (const limitState of limitStates) {
      if (limitState.isAllowed) continue
      const { retryAfterSeconds } = limitState
      const detail = 'Too many different introspection queries. Retry later.'
      throw new Problem('RATE_LIMITED', { detail, retryAfterSeconds })
    }
  }

  #retain(key: string, text: string): void {
    if (text.length > maxCachedCharacters / 10) return
    this.#results.set(key, text)
    this.#cachedCharacters += text.length
    while (this.#results.size > maxCached || this.#cachedCharacters > maxCachedCharacters) {
      const [oldestKey, oldestText] = this.#results.entries().next().value!
      this.#results.delete(oldestKey)
      this.#cachedCharacters -= oldestText.length
    }
  }
}
