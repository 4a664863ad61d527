import { inOrder, loader, type Context } from '../environment/context.ts'
import { afterTimeAndId } from '../graph/connection.ts'
import { columnNameOf } from './column-name.ts'
import { firstPageLoader } from './first-pages.ts'
import { insert, toJson, update, type Row, type Write } from './writes.ts'

/**
 * Returns a row with column names for property names, such as `routing_profile_id` for
 * `routingProfileId`.
 */
export function columnsOf(record: object): Row {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) row[columnNameOf(name)] = value
  return row
}

type Scalar = string | number | bigint | boolean | Date

/**
 * A row with a column for each property of a record. A scalar property that is not null has a
 * column that is not null.
 */
type RowOf<Entity> = { [Name in keyof Entity]: Entity[Name] extends Scalar ? Scalar : unknown }

/** A model of Prisma for a record. A record with a property that has no column does not compile. */
interface Model<Entity> {
  findUnique(query: never): Promise<RowOf<Entity> | null>
  findMany(query: never): Promise<RowOf<Entity>[]>
}

/** What every stored record has. */
interface Stored {
  version: number
  createdAt: Date
}

/** Creates the reads and writes of a table that has one column for each property of a record. */
export function tableOf<Entity extends Stored, ModelRow = Entity>(
  table: string,
  key: keyof Entity & string,
  modelOf: (context: Context) => Model<ModelRow>,
  fromRow: (row: ModelRow) => Entity = (row) => row as unknown as Entity,
) {
  const keyColumn = Object.keys(columnsOf({ [key]: '' }))[0]!
  const idOf = (record: Entity) => record[key] as string
  const findMany = async (context: Context, query: object): Promise<Entity[]> =>
    ((await modelOf(context).findMany(query as never)) as unknown as ModelRow[]).map(fromRow)
  const loadMany = async (context: Context, ids: readonly string[]) =>
    inOrder(ids, await findMany(context, { where: { [key]: { in: [...ids] } } }), idOf)
  const orderBy = [{ createdAt: 'asc' }, { [key]: 'asc' }]
  const loadFirstPage = firstPageLoader<Entity>({
    table,
    keyColumn,
    idOf,
    read: (context, page) => findMany(context, { ...page, orderBy }),
    find: (context, ids) => findMany(context, { where: { [key]: { in: [...ids] } }, orderBy }),
  })
  return {
    idOf,
    findMany,
    async find(context: Context, id: string): Promise<Entity | null> {
      const row = await modelOf(context).findUnique({ where: { [key]: id } } as never)
      return row ? fromRow(row as ModelRow) : null
    },
    /** Finds records by ID: for each ID its record, or null. */
    loadMany,
    /** Loads records by ID, without checking the caller's permissions. */
    load: loader<string, Entity>(loadMany),
    /**
     * Lists records that match `where`, in the order of their creation. A condition that is null
     * does not apply. The first pages of several lists are read together.
     */
    list: (context: Context, where: object, after: string[] | null, take: number) =>
      after === null
        ? loadFirstPage(context, { where: withoutNulls(where), take })
        : findMany(context, {
            // Both conditions may contain an `OR`, so they cannot be merged into one object.
            where: { AND: [withoutNulls(where), afterTimeAndId('createdAt', key, after)] },
            orderBy,
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

const withoutNulls = (where: object): object =>
  Object.fromEntries(Object.entries(where).filter(([, condition]) => condition !== null))
