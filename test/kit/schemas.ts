import type { GraphQLSchema } from 'graphql'
import { buildSubgraph, type Subgraph } from '../../kernel/graph/subgraph.ts'

/** The schemas that this process has built. Test files share a process, and a schema never changes. */
const schemas = new Map<string, GraphQLSchema>()

/** Returns the schema of one subgraph, without loading the others. */
export function schemaOf(subgraph: Subgraph): GraphQLSchema {
  const schema = schemas.get(subgraph.name) ?? buildSubgraph(subgraph)
  schemas.set(subgraph.name, schema)
  return schema
}

/** Remembers all schemas: once the whole graph is built, a single one can no longer be. */
export function keepSchemas(all: ReadonlyMap<string, GraphQLSchema>): void {
  for (const [name, schema] of all) schemas.set(name, schema)
}
