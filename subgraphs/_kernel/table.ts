import { inOrder, loader, type Context } from './context.ts'
import { afterTimeAndId } from './graph/connection.ts'
import { insert, toJson, update, type Row, type Write } from './writes.ts'
import type { Versioned } from './domain/versioned.ts'

/** Columns by name: `routingProfileId` is `routing_profile_id`. */
export function columnsOf(record: object): Row {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  )
}

interface Model<Found> {
  findUnique(query: never): Promise<Found | null>
  findMany(query: never): Promise<Found[]>
}

/** What reads and writes one table whose columns are a record's members. */
export function tableOf<Record extends Versioned, Found>(
  table: string,
  key: keyof Record & string,
  modelOf: (context: Context) => Model<Found>,
  fromRow: (row: Found) => Record,
) {
  const keyColumn = Object.keys(columnsOf({ [key]: '' }))[0]!
  const idOf = (record: Record) => record[key] as string
  const findMany = async (context: Context, query: object): Promise<Record[]> =>
    (await modelOf(context).findMany(query as never)).map(fromRow)
  return {
    idOf,
    findMany,
    async find(context: Context, id: string): Promise<Record | null> {
      const row = await modelOf(context).findUnique({ where: { [key]: id } } as never)
      return row && fromRow(row)
    },
    /** Records by id, whoever asks. */
    load: loader<string, Record>(async (context, ids) =>
      inOrder(ids, await findMany(context, { where: { [key]: { in: [...ids] } } }), idOf),
    ),
    /** Records in the order they were created. */
    list: (context: Context, where: object, after: string[] | null, take: number) =>
      findMany(context, {
        where: { ...where, ...afterTimeAndId('createdAt', key, after) },
        orderBy: [{ createdAt: 'asc' }, { [key]: 'asc' }],
        take,
      }),
    sortKey: (record: Record) => [record.createdAt.toISOString(), idOf(record)],
    insert: (record: Record): Write => insert(table, columnsOf(record)),
    /** Writes the members in which two versions differ. */
    update(before: Record, after: Record): Write {
      const { version: _, ...columns } = columnsOf(after)
      const old = columnsOf(before)
      const changed = Object.entries(columns).filter(
        ([name, value]) => toJson(value) !== toJson(old[name]),
      )
      return update(
        table,
        { [keyColumn]: idOf(after) },
        before.version,
        Object.fromEntries(changed),
      )
    },
  }
}
