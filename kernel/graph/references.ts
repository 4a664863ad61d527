import { requireScope } from '../authorization/auth.ts'
import type { Scope } from '../domain/scopes.ts'
import type { Context, Loader } from '../environment/context.ts'
import { selectedOfRecord, type Selection } from './selected-fields.ts'

/**
 * Resolves an entity by its key with the permissions of the caller; null if the entity does not
 * exist or is not visible to the caller.
 */
export interface ResolveReference {
  (key: any, context: Context): Promise<object | null> | object | null
  /** Resolves several entities at once, in the order of their keys. */
  many?(
    keys: readonly any[],
    context: Context,
    selection: Selection,
  ): Promise<readonly (object | null)[]>
}

/** Returns the entity of a record; null if the caller may not see it. */
type Show<Entity> = (record: Entity, context: Context) => Promise<object | null> | object | null

/**
 * Returns the resolver of references to an entity that this subgraph owns. It requires the scope that
 * the query for the entity also requires. `key` is the key field of the entity, and `load` loads it
 * with the permissions of the caller.
 */
export function referenceTo<Entity extends object>(
  scope: Scope,
  key: string,
  load: Loader<string, Entity>,
  show?: Show<Entity>,
): ResolveReference {
  type Representation = Readonly<Record<string, string>>
  const resolve = async (representation: Representation, context: Context) => {
    requireScope(context.caller, scope)
    const record = await load(context, representation[key]!)
    return show && record ? show(record, context) : record
  }
  if (show) return resolve
  return Object.assign(resolve, {
    async many(representations: readonly Representation[], context: Context, selection: Selection) {
      requireScope(context.caller, scope)
      const keys = representations.map((each) => each[key]!)
      return load.many(context, keys, selectedOfRecord(selection))
    },
  })
}

/** Returns the resolver of references to an entity of which this subgraph knows no more than its key. */
export function referenceByKey(key: string): ResolveReference {
  return (representation: Readonly<Record<string, string>>) => ({ [key]: representation[key] })
}
