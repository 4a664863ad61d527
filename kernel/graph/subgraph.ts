import 'reflect-metadata'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  parse,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import { buildSchemaSync, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql'
import { checkScope } from '../authorization/auth.ts'
import type { Context } from '../environment/context.ts'
import { callMethodsDirectly } from './direct-resolvers.ts'
import { hideFields } from './hidden-fields.ts'
import { nullForUnknownIds } from './lookups.ts'
import { createReferencedTypes, graphTypeOf } from './model-types.ts'
import type { ResolveReference } from './references.ts'
import { applySchemaRules } from './schema-rules.ts'
import * as scalar from './scalars.ts'
import type { Selection } from './selected-fields.ts'
import type { Worker } from '../work/worker.ts'

/** The declaration of a subgraph: its part of the schema, and its workers. */
export interface Subgraph {
  name: string
  resolvers: NonEmptyArray<Function>
  /**
   * Object types that no resolver returns directly, including stubs for entities of other
   * subgraphs.
   */
  types: readonly object[]
  /** The reference resolvers of the entities that this subgraph owns, by type name. */
  references: Readonly<Record<string, ResolveReference>>
  workers: readonly Worker[]
  /**
   * Runs before the schema is built, to complete types that depend on all areas, such as the enum
   * of problem codes.
   */
  beforeBuild?: () => void
}

/**
 * Declares `@scope` and `@person`, directives of this platform. The standard `@requiresScopes` is not
 * used, because gateways that cannot enforce it reject the schema. In this platform the resolvers
 * enforce the scope, and that a person acts.
 */
const link = `
extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@external", "@provides", "@requires", "@composeDirective"]
  )
  @link(url: "https://bankgraph.example/scope/v1.0", import: ["@scope", "@person"])
  @composeDirective(name: "@scope")
  @composeDirective(name: "@person")

directive @scope(requires: String!) on FIELD_DEFINITION
directive @person on FIELD_DEFINITION
`

/** Builds the federated schema of a subgraph from its type-graphql classes. */
export function buildSubgraph(subgraph: Subgraph): GraphQLSchema {
  subgraph.beforeBuild?.()
  const orphanedTypes = subgraph.types.map(graphTypeOf)
  createReferencedTypes()
  const schema = buildSchemaSync({
    resolvers: subgraph.resolvers,
    orphanedTypes,
    authChecker: checkScope,
    validate: false,
    skipCheck: true,
    // Type-graphql needs this only for subscriptions, which the gateway runs itself.
    pubSub: noPubSub,
    scalarsMap: [{ type: Date, scalar: scalar.DateTimeScalar }],
  })
  const resolvers = createResolversMap(schema) as Record<string, Record<string, unknown>>
  callMethodsDirectly(schema, resolvers)
  hideFields(schema, resolvers)
  for (const type of Object.values(resolvers)) {
    // Values of abstract types carry their type name, because the gateway compiles documents to
    // code that cannot await a type resolver.
    if (type['__resolveType']) type['__resolveType'] = (value: Typed) => value.__typename
  }
  nullForUnknownIds(schema.getQueryType(), resolvers['Query'] ?? {})
  const typeDefs = applySchemaRules(parse(link + printSchemaWithDirectives(schema)))
  const federatedSchema = buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }])
  fixEnumDefaults(federatedSchema)
  const entities = federatedSchema.getQueryType()!.getFields()['_entities']
  if (entities) entities.resolve = entitiesResolver(subgraph.references)
  return federatedSchema
}

/**
 * Converts enum defaults of input fields and arguments to internal values. The schema builder reads
 * defaults before the enums have their internal values, so resolvers would receive the GraphQL
 * names of the values.
 */
function fixEnumDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    for (const member of inputMembersOf(type)) {
      const namedType = getNamedType(member.type)
      if (!isEnumType(namedType) || member.defaultValue === undefined) continue
      const valueOf = (name: unknown) => namedType.getValue(name as string)?.value ?? name
      const { defaultValue } = member
      member.defaultValue = Array.isArray(defaultValue)
        ? defaultValue.map(valueOf)
        : valueOf(defaultValue)
    }
  }
}

/** Returns the fields of an input type, or the arguments of the fields of an object type. */
function inputMembersOf(type: GraphQLNamedType): (GraphQLInputField | GraphQLArgument)[] {
  if (isInputObjectType(type)) return Object.values(type.getFields())
  return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : []
}

/**
 * Returns the resolver of entities by their keys. It replaces the library's resolver, which looks
 * up the type and wraps the result for each key, which takes most of the time of a query that joins
 * fifty records. Keys of one type are resolved together if its reference can; otherwise an error
 * affects only its own entity.
 */
function entitiesResolver(references: Subgraph['references']) {
  const referenceOf = (name: string): ResolveReference => {
    const found = Object.hasOwn(references, name) && references[name]
    if (!found) throw new Error(`This subgraph has no reference resolver for ${name}.`)
    return found
  }
  const find = (key: Typed, context: Context) => {
    const entity = referenceOf(key.__typename)(key, context)
    return isPromise(entity)
      ? entity.then((found) => withTypeName(key, found))
      : withTypeName(key, entity)
  }
  const settled = (key: Typed, context: Context) => {
    try {
      return find(key, context)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }
  return (
    _root: unknown,
    { representations }: { representations: Typed[] },
    context: Context,
    selection: Selection,
  ) => {
    const [first] = representations
    const isOneType = representations.every(({ __typename }) => __typename === first!.__typename)
    const many = isOneType && first ? referenceOf(first.__typename).many : undefined
    if (!many || representations.length === 1)
      return representations.map((key) => settled(key, context))
    return many(representations, context, selection).then((entities) =>
      entities.map((entity, index) => withTypeName(representations[index]!, entity)),
    )
  }
}

interface Typed {
  __typename: string
}

const isPromise = <Value extends object>(value: Promise<Value | null> | Value | null) =>
  value instanceof Promise

function withTypeName({ __typename }: Typed, entity: object | null): object | null {
  return entity && Object.assign(entity, { __typename })
}

const noPubSub: PubSub = { publish: () => undefined, subscribe: () => emptyStream() }

async function* emptyStream(): AsyncGenerator<never> {}
