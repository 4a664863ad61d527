import { Kind, type GraphQLFormattedError } from 'graphql'
import type { FastifyRequest } from 'fastify'
import { bankCaller } from '../subgraphs/_kernel/auth.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { Problem, type ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import { operationOf, type Operation } from './operation.ts'

/** Notes what an answer of the graph refuses, under the root field it is about. */
export function noteRefusals(
  { bank, caller, envelope }: Context,
  operation: Operation,
  errors: readonly GraphQLFormattedError[],
): void {
  // The bank's own questions are nobody's attempts.
  if (caller === bankCaller) return
  for (const { path, extensions = {} } of errors) {
    const { code, resourceId } = extensions as { code: ProblemCode; resourceId?: string }
    const { requestId } = envelope
    const asked = rootFieldOf(operation, path?.[0])
    bank.refusals.note({ caller, operation: asked, code, resourceId, requestId })
  }
}

/** Notes what is refused before the graph runs; over a socket there is no request. */
export function noteAtDoor(
  bank: Bank,
  request: FastifyRequest | null,
  caller: Caller | null,
  error: unknown,
): void {
  if (!(error instanceof Problem)) return
  // The pattern of the path: what was asked for may be anything.
  const operation = request
    ? `${request.method} ${request.routeOptions.url ?? '*'}`
    : 'WebSocket /graphql'
  bank.refusals.note({ caller, operation, code: error.code, requestId: request?.id ?? null })
}

/** Runs what may refuse before the graph does, and notes it. */
export function atDoor<Result>(
  bank: Bank,
  request: FastifyRequest,
  caller: Caller,
  run: () => Result,
): Result {
  try {
    return run()
  } catch (error) {
    noteAtDoor(bank, request, caller, error)
    throw error
  }
}

/** The field behind a key of the answer, which may be an alias of the caller's own making. */
function rootFieldOf({ document, name }: Operation, key: string | number | undefined): string {
  const node = operationOf(document, name)
  for (const selection of node?.selectionSet.selections ?? []) {
    if (selection.kind !== Kind.FIELD) continue
    if ((selection.alias ?? selection.name).value === key) return selection.name.value
  }
  return node?.operation ?? '*'
}
