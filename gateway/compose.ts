import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { composeServices } from '@apollo/composition'
import { printSubgraphSchema } from '@apollo/subgraph'
import { parse, printSchema, type GraphQLSchema } from 'graphql'
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

/**
 * Returns the executable schema of every subgraph, by subgraph name. The schemas are built once per
 * process.
 */
export function buildSubgraphs(): Map<string, GraphQLSchema> {
  if (cachedSchemas) return cachedSchemas
  cachedSchemas = new Map(subgraphs.map((subgraph) => [subgraph.name, buildSubgraph(subgraph)]))
  // Type-graphql needs its metadata at run time only for `@Args`, which is not used here. While the
  // metadata exists, every request is slowed down, because each property of each nested input is
  // looked up in all input types.
  getMetadataStorage().clear()
  return cachedSchemas
}

/** Composes the subgraphs in this process. Throws an Error that lists all composition errors. */
export function compose(schemas: Map<string, GraphQLSchema>): {
  supergraph: string
  apiSchema: string
} {
  const services = [...schemas].map(([name, schema]) => ({
    name,
    url: `http://${name}.subgraph`,
    typeDefs: parse(printSubgraphSchema(schema)),
  }))
  const composed = composeServices(services)
  if (composed.errors) {
    const messages = composed.errors.map((error) => error.message).join('\n')
    throw new Error(`The subgraphs cannot be composed:\n${messages}`)
  }
  const apiSchema = printSchema(composed.schema.toAPISchema().toGraphQLJSSchema())
  return { supergraph: `${composed.supergraphSdl}\n`, apiSchema: `${apiSchema}\n` }
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
export function requireCommitted(schemas: Map<string, GraphQLSchema>): void {
  const supergraph = readSupergraph()
  const hasher = createHash('sha256').update(supergraph)
  for (const [name, schema] of schemas) hasher.update(`\0${name}\0${printSubgraphSchema(schema)}`)
  const digest = hasher.digest('hex')
  if (readLastMatch() === digest) return
  if (compose(schemas).supergraph !== supergraph) {
    throw new Error(
      'gateway/supergraph.graphql does not match the subgraphs. Run: npm run generate',
    )
  }
  rememberMatch(digest)
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
