import { type ExecutionResult, print } from 'graphql'
import { problemOfFormatted } from '../gateway/errors.ts'
import type { Graph } from '../gateway/graph.ts'
import { createOperation, type Operation } from '../gateway/operation.ts'
import type { Bank, OriginalRequest, QueryGraph } from '../kernel/environment/bank.ts'
import { createContext, type Context } from '../kernel/environment/context.ts'
import { bankContext } from '../kernel/work/worker.ts'

/**
 * Returns the function that sends queries to the bank's own graph. Each query is prepared only
 * once.
 */
export function createGraphClient(graph: Graph, bank: Bank): QueryGraph {
  const operations = new WeakMap<object, Operation>()
  return async (document, variables, originalRequest) => {
    let operation = operations.get(document)
    if (!operation) {
      operation = createOperation(document, print(document), undefined, true)
      operations.set(document, operation)
    }
    const context = originalRequest ? contextFor(bank, originalRequest) : bankContext(bank)
    const result = await graph.run(operation, variables as object, context)
    return dataOf(result) as never
  }
}

function contextFor(bank: Bank, { caller, idempotencyKey }: OriginalRequest): Context {
  const { envelope } = bankContext(bank)
  return createContext(bank, caller, { ...envelope, idempotencyKey })
}

function dataOf({ data, errors }: ExecutionResult): unknown {
  if (errors) throw problemOfFormatted(errors[0]!)
  return data
}
