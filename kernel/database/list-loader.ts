import { loader, type Context } from '../environment/context.ts'

interface ListRequest<Options> {
  key: string
  options: Options
}

/**
 * Creates a loader of lists by the key of the record that they belong to, such as the entries of
 * an account. All lists that a request reads in one turn of the event loop with the same options
 * are read with one call of `read`, which must return the lists in the order of the keys.
 */
export function listLoader<Options extends object, Item>(
  read: (context: Context, keys: readonly string[], options: Options) => Promise<Item[][]>,
): (context: Context, key: string, options: Options) => Promise<Item[]> {
  const load = loader<ListRequest<Options>, Item[]>(async (context, requests) => {
    const groups = new Map<string, ListRequest<Options>[]>()
    for (const request of requests) {
      const optionsKey = JSON.stringify(request.options, withBigInts)
      const group = groups.get(optionsKey)
      if (group) group.push(request)
      else groups.set(optionsKey, [request])
    }
    const found = new Map<ListRequest<Options>, Item[]>()
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const keys = [...new Set(group.map(({ key }) => key))]
        const lists = await read(context, keys, group[0]!.options)
        const byKey = new Map(keys.map((key, at) => [key, lists[at]!]))
        for (const request of group) found.set(request, byKey.get(request.key)!)
      }),
    )
    return requests.map((request) => found.get(request)!)
  })
  return async (context, key, options) => (await load(context, { key, options }))!
}

/** Returns the rows of each key, in the order of the keys and of the rows. */
export function listsByKey<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const byKey = new Map(keys.map((key): [string, Row[]] => [key, []]))
  for (const row of rows) byKey.get(keyOf(row))!.push(row)
  return keys.map((key) => byKey.get(key)!)
}

const withBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
