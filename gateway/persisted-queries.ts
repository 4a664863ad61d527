import { createHash } from 'node:crypto'
import { Problem } from '../kernel/domain/problem.ts'

const maxDocuments = 1000
const maxCharacters = 4_000_000
const hashPattern = /^[0-9a-f]{64}$/

/**
 * A cache of documents by their SHA-256, for automatic persisted queries. It holds the 1000 most
 * recently used documents, with at most 4 million characters in total. A document is stored only
 * after validation and only for an authenticated caller. At each use, it goes through the
 * `DocumentReader` again.
 */
export class PersistedQueries {
  readonly #documents = new Map<string, string>()
  #characters = 0

  /** Returns the document with this hash; undefined if it is not stored. */
  find(hash: string): string | undefined {
    const text = this.#documents.get(hash)
    if (text === undefined) return undefined
    this.#documents.delete(hash)
    this.#documents.set(hash, text)
    return text
  }

  /** Stores a validated document under a hash that `requireMatchingHash` has checked. */
  store(hash: string, text: string): void {
    if (this.#documents.has(hash)) return
    this.#documents.set(hash, text)
    this.#characters += text.length
    for (const [oldest, { length }] of this.#documents) {
      if (this.#documents.size <= maxDocuments && this.#characters <= maxCharacters) return
      this.#documents.delete(oldest)
      this.#characters -= length
    }
  }
}

/**
 * Returns the hash in `extensions.persistedQuery`; undefined if the request does not use persisted
 * queries. Throws BAD_REQUEST for an unknown version of the protocol and for an invalid hash.
 */
export function persistedHashOf(extensions: unknown): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown }
  if (persistedQuery === undefined || persistedQuery === null) return undefined
  const { version, sha256Hash: hash } = persistedQuery as {
    version?: unknown
    sha256Hash?: unknown
  }
  if (version !== 1) throw badRequest('The version of a persisted query must be 1.')
  if (typeof hash !== 'string' || !hashPattern.test(hash)) {
    throw badRequest('`sha256Hash` must be a SHA-256 of 64 lowercase hexadecimal digits.')
  }
  return hash
}

/** Returns the hash under which a client can name a document. */
export const hashOfDocument = (text: string): string =>
  createHash('sha256').update(text).digest('hex')

/** Throws BAD_REQUEST if the document does not have this hash. */
export function requireMatchingHash(text: string, hash: string): void {
  if (hashOfDocument(text) === hash) return
  throw badRequest('`sha256Hash` is not the SHA-256 of the query.')
}

/**
 * Returns the problem for an unknown hash. Its message is fixed by the protocol, because older
 * clients compare it.
 */
export function persistedQueryNotFound(): Problem {
  return new Problem('PERSISTED_QUERY_NOT_FOUND', { detail: 'PersistedQueryNotFound' })
}

function badRequest(detail: string): Problem {
  return new Problem('BAD_REQUEST', { detail })
}
