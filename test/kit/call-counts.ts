import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { PipelinedReads } from '../../kernel/database/pipelined-connection.ts'
import { theSources } from './platform.ts'

/** The calls of one subgraph, and the SQL statements that its resolvers executed in them. */
export interface SubgraphCalls {
  calls: number
  statements: number
}

/** The calls of each subgraph, by its name. */
export type CallCounts = Record<string, SubgraphCalls>

const callingSubgraph = new AsyncLocalStorage<SubgraphCalls | null>()

/**
 * Counts the calls that `work` makes to the subgraphs, and the SQL statements of each. Statements of
 * background work are not counted, because they are executed outside of any call. One count at a time.
 */
export async function countCalls<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; counts: CallCounts }> {
  const counts: CallCounts = {}
  const restorers = [pg.Pool, pg.Client, PipelinedReads].map((each) => countQueries(each.prototype))
  for (const [name, source] of await theSources()) {
    const run = source.run.bind(source)
    source.run = (...request) => {
      const subgraph = (counts[name] ??= { calls: 0, statements: 0 })
      subgraph.calls++
      return callingSubgraph.run(subgraph, () => run(...request))
    }
    // The method of the class is visible again.
    restorers.push(() => Reflect.deleteProperty(source, 'run'))
  }
  try {
    return { result: await work(), counts }
  } finally {
    for (const restore of restorers) restore()
  }
}

/** A query of a pool is counted when it is requested, whether or not it waits for a connection. */
function countQueries(methods: object): () => void {
  return wrap(methods, 'query', (query) => {
    const subgraph = callingSubgraph.getStore()
    if (subgraph) subgraph.statements++
    return callingSubgraph.run(null, query)
  })
}

type Methods = Record<string, (...given: unknown[]) => unknown>

/** Replaces a method by one that calls `around` with the original call. Returns a function that restores it. */
function wrap(of: object, name: string, around: (call: () => unknown) => unknown) {
  const methods = of as Methods
  const original = methods[name]!
  methods[name] = function (this: unknown, ...given) {
    return around(() => original.apply(this, given))
  }
  return () => (methods[name] = original)
}
