import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { visibleActor } from '../authorization/auth.ts'
import type { Context } from '../environment/context.ts'
import { hiddenFields } from './model-types.ts'

/**
 * Adds the resolvers of the fields that customers do not see, for the types of the schema: what is only
 * for the bank, and who acted, unless it was the customer.
 */
export function hideFields(
  schema: GraphQLSchema,
  resolvers: Record<string, Record<string, unknown>>,
): void {
  for (const { type, field, isActor } of hiddenFields) {
    if (!schema.getType(type)) continue
    const resolve: GraphQLFieldResolver<Record<string, unknown>, Context> = (
      record,
      _args,
      { caller },
    ) => {
      const value = record[field] ?? null
      if (isActor) return visibleActor(caller, value as string | null)
      return caller.partyId === null ? value : null
    }
    resolvers[type] = { ...resolvers[type], [field]: resolve }
  }
}
