import { composeServices } from '@apollo/composition'
import { printSubgraphSchema } from '@apollo/subgraph'
import { parse, printSchema, type GraphQLSchema } from 'graphql'
import { contractVersions } from '../kernel/domain/contract-versions.ts'

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
  const version = `# Version ${contractVersions.graph} of the graph. contracts/CHANGELOG.md lists the changes.`
  return { supergraph: `${composed.supergraphSdl}\n`, apiSchema: `${version}\n\n${apiSchema}\n` }
}
