import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { visibleActor } from '../authorization/auth.ts'
import type { Context } from '../environment/context.ts'
import { actorFields } from './model-types.ts'

/**
 * Adds the resolvers of the fields that name who acted, for the types of the schema: customers do not
 * learn which employee it was.
 */
export function hideActors(
  schema: GraphQLSchema,
  resolvers: Record<string, Record<string, unknown>>,
): void {
  for (const [type, field] of actorFields) {
    if (!schema.getType(type)) continue
    const resolve: GraphQLFieldResolver<Record<string, string | null>, Context> = (
      record,
      _args,
      { caller },
    ) => visibleActor(caller, record[field]!)
    resolvers[type] = { ...resolvers[type], [field]: resolve }
  }
}
