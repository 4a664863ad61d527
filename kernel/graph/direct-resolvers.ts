import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import { requireScope } from '../authorization/auth.ts'
import type { Scope } from '../domain/scopes.ts'
import type { Context } from '../environment/context.ts'

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>
type ResolverMap = Record<string, Record<string, unknown>>
type FieldMetadata = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number]
type Parameter = NonNullable<FieldMetadata['params']>[number]
type Read = (root: unknown, args: Record<string, unknown>, context: Context) => unknown

/**
 * Replaces the resolvers of fields that type-graphql created by ones that call the declared method
 * directly. They return a value instead of a promise if the method does, and check the scope at once.
 * Type-graphql makes five promises of a field that has a scope, for each record of a list. A resolver
 * whose arguments are input objects is left as it is, because type-graphql turns these into instances.
 */
export function callMethodsDirectly(schema: GraphQLSchema, resolvers: ResolverMap): void {
  for (const metadata of getMetadataStorage().fieldResolvers) {
    const type = schema.getType(typeNameOf(metadata))
    const field = isObjectType(type) ? type.getFields()[metadata.schemaName] : undefined
    const created = resolvers[type?.name ?? '']
    if (!field || !created?.[field.name]) continue
    if (field.args.some((argument) => isInputObjectType(getNamedType(argument.type)))) continue
    const resolve = directResolver(metadata)
    if (resolve) created[field.name] = resolve
  }
}

/** Returns the name of the object type that a resolver of a field extends. */
function typeNameOf({ getObjectType }: FieldMetadata): string {
  const target = getObjectType?.()
  const { objectTypes } = getMetadataStorage()
  return objectTypes.find((each) => each.target === target)?.name ?? ''
}

/** Returns the resolver; null if a parameter of the method is of a kind that only type-graphql knows. */
function directResolver({
  kind,
  target,
  methodName,
  params = [],
  roles = [],
  middlewares = [],
}: FieldMetadata): Resolve | null {
  const reads = params.toSorted((one, other) => one.index - other.index).map(readerOf)
  const isSupported = kind === 'external' && middlewares.length === 0
  if (!isSupported || reads.some((read) => read === null)) return null
  const instance = new (target as new () => Record<string, Function>)()
  const method = instance[methodName]!
  const scopes = roles as Scope[]
  return (root, args, context) => {
    for (const scope of scopes) requireScope(context.caller, scope)
    return method.apply(
      instance,
      reads.map((read) => read!(root, args, context)),
    )
  }
}

function readerOf(parameter: Parameter): Read | null {
  switch (parameter.kind) {
    case 'root':
      return parameter.propertyName || parameter.getType ? null : (root) => root
    case 'context':
      return parameter.propertyName ? null : (_root, _args, context) => context
    case 'arg': {
      const { name } = parameter
      return (_root, args) => args[name]
    }
    default:
      return null
  }
}
