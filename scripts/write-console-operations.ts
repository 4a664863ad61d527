/**
 * Writes the manifest of the operations that the console sends, beside the built console. An
 * environment that accepts only registered operations registers them.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InMemoryCache } from '@apollo/client'
import { Kind, print, type DocumentNode } from 'graphql'
import { consoleOperationsPath } from '../gateway/console.ts'
import { operationOf } from '../gateway/operation.ts'
import { hashOfDocument } from '../gateway/persisted-queries.ts'
import { projectRoot } from '../kernel/environment/root.ts'

const cache = new InMemoryCache()
const sources = join(projectRoot, 'console', 'src')
const operations = []
for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('queries.generated.ts')) continue
  const module = (await import(pathToFileURL(join(sources, file)).href)) as object
  operations.push(...Object.values(module).filter(isOperation).map(entryOf))
}
const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations }
writeFileSync(consoleOperationsPath, JSON.stringify(manifest))

function isOperation(value: unknown): value is DocumentNode {
  const { kind } = (value ?? {}) as { kind?: unknown }
  return kind === Kind.DOCUMENT && operationOf(value as DocumentNode, null) !== undefined
}

/** Events are followed without Apollo Client, which adds `__typename` to all other operations. */
function entryOf(document: DocumentNode) {
  const { operation: type, name } = operationOf(document, null)!
  const body = print(type === 'subscription' ? document : cache.transformDocument(document))
  return { id: hashOfDocument(body), name: name!.value, type, body }
}
