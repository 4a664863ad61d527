import 'reflect-metadata'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import { parse, type GraphQLSchema } from 'graphql'
import { buildSchemaSync, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql'
import { checkScope } from './auth.ts'
import type { Context } from './context.ts'
import * as scalar from './scalars.ts'
import type { Worker } from './worker.ts'

/** Resolves an entity from its key, under the caller's own rights; null for what is not theirs to see. */
export type ResolveReference = (
  key: any,
  context: Context,
) => Promise<object | null> | object | null

/** A subgraph as data: what it puts into the graph, and what it does beside answering. */
export interface Subgraph {
  name: string
  resolvers: NonEmptyArray<Function>
  /** Object types, stubs of other subgraphs' entities among them, that no resolver returns directly. */
  types: readonly Function[]
  /** How entities that live here are found by key, by type name. */
  references: Readonly<Record<string, ResolveReference>>
  workers: readonly Worker[]
}

/** `@scope` is our own: the standard `@requiresScopes` is refused by a gateway that cannot enforce it; we do. */
const link = `
extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@external", "@provides", "@requires", "@composeDirective"]
  )
  @link(url: "https://bankgraph.example/scope/v1.0", import: ["@scope"])
  @composeDirective(name: "@scope")

directive @scope(requires: String!) on FIELD_DEFINITION
`

/** The federated schema of a subgraph, from its type-graphql classes. */
export function buildSubgraph(subgraph: Subgraph): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: subgraph.resolvers,
    orphanedTypes: [...subgraph.types],
    authChecker: checkScope,
    validate: false,
    skipCheck: true,
    // Only a schema with a Subscription needs one; the gateway runs subscriptions itself.
    pubSub: nothing,
    scalarsMap: [{ type: Date, scalar: scalar.DateTimeScalar }],
  })
  const resolvers = createResolversMap(schema) as Record<string, Record<string, unknown>>
  for (const [type, resolve] of Object.entries(subgraph.references)) {
    ;(resolvers[type] ??= {})['__resolveReference'] = (key: object, context: Context) =>
      resolve(key, context)
  }
  for (const type of Object.values(resolvers)) {
    // Values of abstract types say what they are; a compiled document cannot wait for an answer.
    if (type['__resolveType']) type['__resolveType'] = (value: Typed) => value.__typename
  }
  return buildSubgraphSchema([
    { typeDefs: parse(link + printSchemaWithDirectives(schema)), resolvers: resolvers as never },
  ])
}

interface Typed {
  __typename: string
}

const nothing: PubSub = { publish: () => undefined, subscribe: () => neverEnding() }

async function* neverEnding(): AsyncGenerator<never> {}
