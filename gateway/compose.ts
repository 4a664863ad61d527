import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { GraphQLSchema } from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import { buildSubgraph } from '../kernel/graph/subgraph.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import { subgraphs } from '../subgraphs/index.ts'

const folder = join(projectRoot, 'gateway')
export const supergraphPath = join(folder, 'supergraph.graphql')
export const apiSchemaPath = join(folder, 'schema.graphql')
/** The file with the hash of the last subgraphs and supergraph that matched. */
const matchPath = join(projectRoot, '.cache', 'supergraph.sha256')

let cachedSchemas: Map<string, GraphQLSchema> | null = null
let building: Promise<Map<string, GraphQLSchema>> | null = null

/**
 * Returns the executable schema of every subgraph, by subgraph name. The schemas are built once per
 * process.
 */
export function buildSubgraphs(): Map<string, GraphQLSchema> {
  return (
    cachedSchemas ??
    finish(new Map(subgraphs.map((subgraph) => [subgraph.name, buildSubgraph(subgraph)])))
  )
}

/**
 * Does the same as `buildSubgraphs`, but lets other work of the process continue after each schema,
 * such as the start of the database.
 */
export function buildSubgraphsInSteps(): Promise<Map<string, GraphQLSchema>> {
  return (building ??= buildInSteps().finally(() => (building = null)))
}

async function buildInSteps(): Promise<Map<string, GraphQLSchema>> {
  const schemas = new Map<string, GraphQLSchema>()
  for (const subgraph of subgraphs) {
    // Another caller may have built them all at once. The metadata is gone then.
    if (cachedSchemas) return cachedSchemas
    schemas.set(subgraph.name, buildSubgraph(subgraph))
    await setImmediate()
  }
  return cachedSchemas ?? finish(schemas)
}

function finish(schemas: Map<string, GraphQLSchema>): Map<string, GraphQLSchema> {
  // Type-graphql needs its metadata at run time only for `@Args`, which is not used here. While the
  // metadata exists, every request is slowed down, because each property of each nested input is
  // looked up in all input types.
  getMetadataStorage().clear()
  cachedSchemas = schemas
  return schemas
}

/** Reads the committed supergraph, which all gateways serve. */
export function readSupergraph(): string {
  return readFileSync(supergraphPath, 'utf8')
}

/** Reads the committed API schema for clients as SDL. */
export function readApiSchema(): string {
  return readFileSync(apiSchemaPath, 'utf8')
}

/**
 * Throws an Error if the committed supergraph does not match the subgraphs in `schemas`.
 * Composition takes a third of the start-up time, so a match is remembered for the next start.
 */
export async function requireCommitted(schemas: Map<string, GraphQLSchema>): Promise<void> {
  const supergraph = readSupergraph()
  const hasher = createHash('sha256').update(supergraph)
  for (const [name, schema] of schemas) hasher.update(`\0${name}\0${sdlOf(schema)}`)
  const digest = hasher.digest('hex')
  if (readLastMatch() === digest) return
  // A start that composes nothing does not load the library.
  const { compose } = await import('./composition.ts')
  if (compose(schemas).supergraph !== supergraph) {
    throw new Error(
      'gateway/supergraph.graphql does not match the subgraphs. Run: npm run generate',
    )
  }
  rememberMatch(digest)
}

/**
 * Returns the SDL that a subgraph serves in its field `_service`. Its schema was built from this text,
 * so a change of the schema also changes the text, which need not be printed again.
 */
function sdlOf(schema: GraphQLSchema): string {
  const service = schema.getQueryType()!.getFields()['_service']!
  const { sdl } = service.resolve!(undefined, {}, undefined, undefined as never) as { sdl: string }
  return sdl
}

function readLastMatch(): string | null {
  try {
    return readFileSync(matchPath, 'utf8')
  } catch {
    return null
  }
}

function rememberMatch(hash: string): void {
  try {
    mkdirSync(dirname(matchPath), { recursive: true })
    writeFileSync(matchPath, hash)
  } catch {
    // The program may run from a folder that it cannot write to; it then composes at each start.
  }
}
