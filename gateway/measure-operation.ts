import type { Bank } from '../kernel/environment/bank.ts'
import { metersOf, otherOperation } from '../kernel/telemetry/meters.ts'
import { operationOf, type Operation } from './operation.ts'

/**
 * Measures an executed operation of the graph. Only the names of documents of the platform and of
 * registered apps are labels, because clients name other operations as they like.
 */
export function measureOperation(
  bank: Bank,
  operation: Operation,
  hasErrors: boolean,
  startedAt: number,
): void {
  const { operations, operationNames } = metersOf(bank)
  const node = operationOf(operation.document, operation.name)
  const type = node?.operation ?? 'query'
  const name = (operation.isKnown && node?.name?.value) || otherOperation
  const outcome = hasErrors ? 'error' : 'ok'
  operations.observe(
    { graphql_operation_type: type, outcome },
    (performance.now() - startedAt) / 1000,
  )
  operationNames.inc({ graphql_operation_type: type, graphql_operation_name: name, outcome })
}

/** Counts an open subscription. Call the returned function once, when it ends. */
export function countSubscription(bank: Bank, transport: 'websocket' | 'sse'): () => void {
  const { subscriptions } = metersOf(bank)
  subscriptions.inc({ transport })
  return () => subscriptions.dec({ transport })
}
