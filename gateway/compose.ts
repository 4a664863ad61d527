import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeServices } from '@apollo/composition'
import { printSubgraphSchema } from '@apollo/subgraph'
import { parse, printSchema, type GraphQLSchema } from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import { buildSubgraph } from '../subgraphs/_kernel/subgraph.ts'
import { projectRoot } from '../subgraphs/_kernel/root.ts'
import { subgraphs } from '../subgraphs/index.ts'

const folder = join(projectRoot, 'gateway')
export const supergraphPath = join(folder, 'supergraph.graphql')
export const apiSchemaPath = join(folder, 'schema.graphql')

let built: Map<string, GraphQLSchema> | null = null

/** The executable schema of every subgraph, by name. Built once: what they are built from is let go. */
export function buildSubgraphs(): Map<string, GraphQLSchema> {
  if (built) return built
  built = new Map(subgraphs.map((subgraph) => [subgraph.name, buildSubgraph(subgraph)]))
  // While it is there, each member of each nested input is looked up among all inputs, in every request.
  // Only `@Args`, which nobody uses, needs it then.
  getMetadataStorage().clear()
  return built
}

/**
 * Composes the subgraphs, in this process and without a start order. Refuses with an Error that
 * lists every fault the composition found.
 */
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
    const faults = composed.errors.map((error) => error.message).join('\n')
    throw new Error(`The subgraphs do not compose:\n${faults}`)
  }
  const apiSchema = printSchema(composed.schema.toAPISchema().toGraphQLJSSchema())
  return { supergraph: `${composed.supergraphSdl}\n`, apiSchema: `${apiSchema}\n` }
}

/** The committed supergraph: what every gateway serves. */
export function readSupergraph(): string {
  return readFileSync(supergraphPath, 'utf8')
}

/** The committed API schema: what clients may ask for, as SDL. */
export function readApiSchema(): string {
  return readFileSync(apiSchemaPath, 'utf8')
}

/** Refuses, with an Error, subgraphs that are not the ones the committed supergraph was composed of. */
export function requireCommitted(schemas: Map<string, GraphQLSchema>): void {
  if (compose(schemas).supergraph === readSupergraph()) return
  throw new Error(
    'gateway/supergraph.graphql is not what the subgraphs compose to: npm run generate',
  )
}
