import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Problem } from '../kernel/domain/problem.ts'
import { hashOfDocument } from './persisted-queries.ts'

/** A manifest, as Apollo's `@apollo/generate-persisted-query-manifest` writes it. */
const manifestSchema = Type.Object({
  format: Type.Literal('apollo-persisted-query-manifest'),
  version: Type.Literal(1),
  operations: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), body: Type.String({ minLength: 1 }) }),
  ),
})

/** The operations that an environment accepts, if it does not accept all. */
export class PersistedQueryList {
  /** The documents by the SHA-256 of their text. */
  readonly #documents: ReadonlyMap<string, string>

  constructor(documents: ReadonlyMap<string, string>) {
    this.#documents = documents
  }

  /**
   * Returns the registered document that a request names by its hash or sends in full; undefined if
   * it is not registered. A document that differs in a single blank is another document.
   */
  find(query: string | undefined, hash: string | undefined): string | undefined {
    const key = query === undefined ? hash : hashOfDocument(query)
    return key === undefined ? undefined : this.#documents.get(key)
  }
}

/**
 * Reads manifests: files, and the files in folders that end with `.json`. Throws an Error that names
 * the file if one cannot be read, is not a manifest, or has an ID that is not the SHA-256 of its body.
 */
export function readPersistedQueryLists(paths: readonly string[]): PersistedQueryList {
  const documents = new Map<string, string>()
  for (const file of paths.flatMap(manifestsAt)) {
    for (const { id, name, body } of operationsIn(file)) {
      if (id !== hashOfDocument(body)) {
        throw new Error(`${file}: the ID of the operation ${name} is not the SHA-256 of its body.`)
      }
      documents.set(id, body)
    }
  }
  return new PersistedQueryList(documents)
}

/** Returns the problem for an operation that is not registered. */
export function persistedQueryNotInList(): Problem {
  return new Problem('PERSISTED_QUERY_NOT_IN_LIST')
}

function manifestsAt(path: string): string[] {
  if (!existsSync(path)) throw new Error(`The list of persisted queries ${path} does not exist.`)
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path).filter((name) => name.endsWith('.json'))
  if (files.length === 0) throw new Error(`${path} has no manifest of persisted queries.`)
  return files.map((name) => join(path, name))
}

function operationsIn(file: string) {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON.`, { cause })
  }
  if (Value.Check(manifestSchema, content)) return content.operations
  const { path, message } = Value.Errors(manifestSchema, content).First()!
  throw new Error(`${file} is not a manifest of persisted queries: ${path || '/'}: ${message}.`)
}
