import type { Context } from '../environment/context.ts'

/**
 * Yields all records that `find` returns after an ID, batch by batch, in the order of their IDs. A record
 * that cannot be processed and is found again does not block the others. The next run retries it.
 */
export async function* inBatches<Item>(
  context: Context,
  size: number,
  find: (context: Context, after: string, take: number) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): AsyncGenerator<Item> {
  for (let lastId = ''; ;) {
    const batch = await find(context, lastId, size)
    yield* batch
    if (batch.length < size) return
    lastId = idOf(batch.at(-1)!)
  }
}
