import { execute, Kind, visit, type DocumentNode, type GraphQLSchema } from 'graphql'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import type { Operation } from './operation.ts'
import { Buckets } from './rate-limits.ts'

const maxCached = 50
const maxCachedCharacters = 20_000_000

/** The setting, or else: on, except for a live environment that has a public address. */
export function isIntrospectionOn({ environment, config }: Bank): boolean {
  return config.introspection ?? !(environment === 'live' && config.publicUrls.live)
}

/**
 * Answers questions about the schema. Each costs this thread up to 50 ms, which both environments and
 * every client share: an answer is computed once for a document, and answers to new documents are
 * limited by address and in all.
 */
export class Introspection {
  readonly isOn: boolean
  readonly #schema: GraphQLSchema
  readonly #cached = new Map<string, string>()
  #cachedCharacters = 0
  readonly #perAddress = new Buckets({ perSecond: 1, burst: 10 })
  readonly #all = new Buckets({ perSecond: 2, burst: 20 })

  constructor(schema: GraphQLSchema, isOn: boolean) {
    this.#schema = schema
    this.isOn = isOn
  }

  /** Rejects with GRAPHQL_VALIDATION_FAILED a document that reads the schema while introspection is off. */
  requireAllowed(document: DocumentNode): void {
    if (this.isOn) return
    visit(document, {
      [Kind.FIELD]({ name: { value: name } }) {
        if (name !== '__schema' && name !== '__type') return
        const detail = 'Introspection is switched off: the schema is in the documentation.'
        throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail })
      },
    })
  }

  /** The answer to a validated document, as JSON. Rejects with RATE_LIMITED. */
  async answer(operation: Operation, variables: object, address: string): Promise<string> {
    const key = `${operation.hash} ${operation.name ?? ''} ${JSON.stringify(variables)}`
    const cached = this.#cached.get(key)
    if (cached !== undefined) return cached
    this.#count(address)
    const { document, name: operationName } = operation
    const asked = { schema: this.#schema, document, variableValues: { ...variables } }
    const text = JSON.stringify(
      await execute({ ...asked, ...(operationName && { operationName }) }),
    )
    this.#keep(key, text)
    return text
  }

  #count(address: string): void {
    const now = performance.now()
    for (const counted of [this.#perAddress.take(address, now), this.#all.take('all', now)]) {
      if (counted.isWithin) continue
      const { retryAfterSeconds } = counted
      const detail = 'Too many different questions about the schema.'
      throw new Problem('RATE_LIMITED', { detail, retryAfterSeconds })
    }
  }

  #keep(key: string, text: string): void {
    if (text.length > maxCachedCharacters / 10) return
    this.#cached.set(key, text)
    this.#cachedCharacters += text.length
    while (this.#cached.size > maxCached || this.#cachedCharacters > maxCachedCharacters) {
      const [oldest, dropped] = this.#cached.entries().next().value!
      this.#cached.delete(oldest)
      this.#cachedCharacters -= dropped.length
    }
  }
}
