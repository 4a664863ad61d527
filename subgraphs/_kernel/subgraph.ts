import 'reflect-metadata'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import { getNamedType, isEnumType, isInputObjectType, parse, type GraphQLSchema } from 'graphql'
import { buildSchemaSync, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql'
import { checkScope } from './auth.ts'
import type { Context } from './context.ts'
import { nullForUnknownIds } from './graph/lookups.ts'
import { applySchemaRules } from './graph/schema-rules.ts'
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
  for (const type of Object.values(resolvers)) {
    // Values of abstract types say what they are; a compiled document cannot wait for an answer.
    if (type['__resolveType']) type['__resolveType'] = (value: Typed) => value.__typename
  }
  nullForUnknownIds(schema.getQueryType(), resolvers['Query'] ?? {})
  const typeDefs = applySchemaRules(parse(link + printSchemaWithDirectives(schema)))
  const built = buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }])
  mendEnumDefaults(built)
  const entities = built.getQueryType()!.getFields()['_entities']
  if (entities) entities.resolve = resolveEntities(subgraph.references)
  return built
}

/**
 * Defaults of enums are read while the schema is built, before the enums know their inner values:
 * they would reach resolvers spelled as on the wire.
 */
function mendEnumDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type)
      if (!isEnumType(named) || typeof field.defaultValue !== 'string') continue
      field.defaultValue = named.getValue(field.defaultValue)?.value ?? field.defaultValue
    }
  }
}

/**
 * Finds entities by their keys. The library's own resolver looks the type up and wraps the answer
 * for each of them, which is most of what a join of fifty costs.
 */
function resolveEntities(references: Subgraph['references']) {
  const find = async (key: Typed, context: Context) => {
    const { __typename } = key
    const resolve = Object.hasOwn(references, __typename) && references[__typename]
    if (!resolve) throw new Error(`${__typename} is not found here by its key.`)
    const entity = (await resolve(key, context)) as Typed | null
    if (entity) entity.__typename = __typename
    return entity
  }
  // A list of promises, so that a refusal is told of the one entity it is about.
  return (_root: unknown, { representations }: { representations: Typed[] }, context: Context) =>
    representations.map((key) => find(key, context))
}

interface Typed {
  __typename: string
}

const nothing: PubSub = { publish: () => undefined, subscribe: () => neverEnding() }

async function* neverEnding(): AsyncGenerator<never> {}
