import { loader, type Context } from '../environment/context.ts'
import { readRows } from '../database/read-rows.ts'
import { sqlConditionOf, type SqlCondition } from './list-condition.ts'

/** The first page of a list of records, such as the documents of one case. */
export interface FirstPage {
  /** The condition of the list, for Prisma. */
  where: object
  take: number
}

/** A table whose records are listed in the order of their creation. */
interface ListedTable<Entity> {
  table: string
  keyColumn: string
  idOf(record: Entity): string
  /** Reads one list. */
  read(context: Context, page: FirstPage): Promise<Entity[]>
  /** Finds records by ID, in the order of their creation. */
  find(context: Context, ids: readonly string[]): Promise<Entity[]>
}

interface PendingList {
  page: FirstPage
  condition: SqlCondition
}

/** How many lists are read together. */
const maxLists = 500

/**
 * Creates a loader of first pages. Lists that a request reads in one turn of the event loop and
 * that differ only in values, such as the documents of fifty cases, are read together with two
 * statements: the first one finds the IDs in all lists, the second one the records. A single list
 * takes one statement.
 */
export function firstPageLoader<Entity>(
  listed: ListedTable<Entity>,
): (context: Context, page: FirstPage) => Promise<Entity[]> {
  const load = loader<FirstPage, Entity[]>(async (context, pages) => {
    const results = new Map<FirstPage, Promise<Entity[]>>()
    for (const lists of groupsOf(pages)) {
      const found = readTogether(listed, context, lists)
      lists.forEach(({ page }, at) =>
        results.set(
          page,
          found.then((each) => each[at]!),
        ),
      )
    }
    return Promise.all(pages.map((page) => results.get(page) ?? listed.read(context, page)))
  })
  return async (context, page) => (await load(context, page))!
}

/** Returns the lists that can be read together, in groups of at least two. */
function groupsOf(pages: readonly FirstPage[]): PendingList[][] {
  const groups = new Map<string, PendingList[]>()
  for (const page of pages.length > 1 ? pages : []) {
    const condition = sqlConditionOf(page.where)
    if (!condition) continue
    // Values that are not text are part of the key, because only texts can differ within a group.
    const fixed = condition.values.map((value) => (typeof value === 'string' ? '' : value))
    const key = JSON.stringify([page.take, condition.sql, fixed])
    const lists = groups.get(key) ?? []
    lists.push({ page, condition })
    groups.set(key, lists)
  }
  return [...groups.values()]
    .flatMap((lists) =>
      Array.from({ length: Math.ceil(lists.length / maxLists) }, (_, at) =>
        lists.slice(at * maxLists, (at + 1) * maxLists),
      ),
    )
    .filter((lists) => lists.length > 1)
}

async function readTogether<Entity>(
  { table, keyColumn, idOf, find }: ListedTable<Entity>,
  context: Context,
  lists: readonly PendingList[],
): Promise<Entity[][]> {
  const { page, condition } = lists[0]!
  const parameters: unknown[] = [page.take, lists.map((_, at) => at)]
  const arrays = ['$2::int[]']
  const references = condition.values.map((first, position) => {
    const values = lists.map((list) => list.condition.values[position])
    // The database knows the type of a parameter that is compared with a column.
    if (typeof first !== 'string' || values.every((value) => value === first)) {
      return `$${parameters.push(first)}`
    }
    return `p.v${arrays.push(`$${parameters.push(values)}::text[]`) - 1}`
  })
  let position = 0
  const where = condition.sql.replaceAll('?', () => references[position++]!)
  const columns = arrays.map((_, at) => (at === 0 ? 'list' : `v${at}`))
  const rows = await readRows<{ list: number; id: string }>(
    context.bank,
    `select p.list, found.id from unnest(${arrays.join(', ')}) p(${columns.join(', ')})
    cross join lateral (select t.${keyColumn} as id from ${table} t where ${where}
      order by t.created_at, t.${keyColumn} limit $1) found`,
    parameters,
  )
  const listsOf = new Map<string, number[]>()
  for (const { list, id } of rows) {
    const known = listsOf.get(id)
    if (known) known.push(list)
    else listsOf.set(id, [list])
  }
  const results = lists.map((): Entity[] => [])
  const records = listsOf.size > 0 ? await find(context, [...listsOf.keys()]) : []
  for (const record of records) {
    for (const list of listsOf.get(idOf(record))!) results[list]!.push(record)
  }
  return results
}
