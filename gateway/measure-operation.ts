import type { ExecutionResult } from 'graphql'
import type { Bank } from '../kernel/environment/bank.ts'
import { metersOf, otherOperation } from '../kernel/telemetry/meters.ts'
import { inSpan, SpanKind } from '../kernel/telemetry/tracing.ts'
import { operationOf, type Operation } from './operation.ts'

/**
 * Executes an operation of the graph, and measures and traces it. Only the names of documents of the
 * platform and of registered apps are used, because clients name other operations as they like.
 */
export async function measured(
  bank: Bank,
  operation: Operation,
  execute: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const startedAt = performance.now()
  const node = operationOf(operation.document, operation.name)
  const type = node?.operation ?? 'query'
  const name = operation.isKnown ? node?.name?.value : undefined
  const attributes = {
    'graphql.operation.type': type,
    ...(name !== undefined && { 'graphql.operation.name': name }),
  }
  const spanName = name === undefined ? type : `${type} ${name}`
  const result = await inSpan(spanName, SpanKind.INTERNAL, attributes, execute, errorsOf)
  const { operations, operationNames } = metersOf(bank)
  const outcome = result.errors ? 'error' : 'ok'
  const labels = { graphql_operation_type: type, outcome }
  operations.observe(labels, (performance.now() - startedAt) / 1000)
  operationNames.inc({ ...labels, graphql_operation_name: name ?? otherOperation })
  return result
}

const errorsOf = ({ errors = [] }: ExecutionResult) => ({ 'bankgraph.errors': errors.length })

/** Counts an open subscription. Call the returned function once, when it ends. */
export function countSubscription(bank: Bank, transport: 'websocket' | 'sse'): () => void {
  const { subscriptions } = metersOf(bank)
  subscriptions.inc({ transport })
  return () => subscriptions.dec({ transport })
}
