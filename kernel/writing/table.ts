import { inOrder, loader, type Context } from '../environment/context.ts'
import { afterTimeAndId } from '../graph/connection.ts'
import { insert, toJson, update, type Row, type Write } from './writes.ts'
import type { Versioned } from '../domain/versioned.ts'

/**
 * Returns a row with column names for property names, such as `routing_profile_id` for
 * `routingProfileId`.
 */
export function columnsOf(record: object): Row {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  )
}

interface Model<ModelRow> {
  findUnique(query: never): Promise<ModelRow | null>
  findMany(query: never): Promise<ModelRow[]>
}

/** Creates the reads and writes of a table that has one column for each property of a record. */
export function tableOf<Entity extends Versioned, ModelRow>(
  table: string,
  key: keyof Entity & string,
  modelOf: (context: Context) => Model<ModelRow>,
  fromRow: (row: ModelRow) => Entity,
) {
  const keyColumn = Object.keys(columnsOf({ [key]: '' }))[0]!
  const idOf = (record: Entity) => record[key] as string
  const findMany = async (context: Context, query: object): Promise<Entity[]> =>
    (await modelOf(context).findMany(query as never)).map(fromRow)
  return {
    idOf,
    findMany,
    async find(context: Context, id: string): Promise<Entity | null> {
      const row = await modelOf(context).findUnique({ where: { [key]: id } } as never)
      return row && fromRow(row)
    },
    /** Loads records by ID, without checking the caller's permissions. */
    load: loader<string, Entity>(async (context, ids) =>
      inOrder(ids, await findMany(context, { where: { [key]: { in: [...ids] } } }), idOf),
    ),
    /** Lists records that match `where`, in the order of their creation. */
    list: (context: Context, where: object, after: string[] | null, take: number) =>
      findMany(context, {
        where: { ...where, ...afterTimeAndId('createdAt', key, after) },
        orderBy: [{ createdAt: 'asc' }, { [key]: 'asc' }],
        take,
      }),
    sortKey: (record: Entity) => [record.createdAt.toISOString(), idOf(record)],
    insert: (record: Entity): Write => insert(table, columnsOf(record)),
    /** Returns the write that updates the properties in which two versions of a record differ. */
    update(before: Entity, after: Entity): Write {
      const { version: _, ...columns } = columnsOf(after)
      const oldColumns = columnsOf(before)
      const changedColumns = Object.entries(columns).filter(
        ([name, value]) => toJson(value) !== toJson(oldColumns[name]),
      )
      return update(
        table,
        { [keyColumn]: idOf(after) },
        before.version,
        Object.fromEntries(changedColumns),
      )
    },
  }
}
