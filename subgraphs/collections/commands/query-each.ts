/** The number of queries through the graph that run at the same time. */
const queriesAtOnce = 10

/** Returns the results of a query for each item, in their order. */
export async function queryEach<Item, Result>(
  items: readonly Item[],
  query: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += queriesAtOnce) {
    const group = items.slice(start, start + queriesAtOnce)
    const found = group.map((item, index) => query(item, start + index))
    results.push(...(await Promise.all(found)))
  }
  return results
}
