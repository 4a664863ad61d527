import { randomUUID } from 'node:crypto'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { FastifyRequest } from 'fastify'
import { bankCaller } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { Context } from '../kernel/environment/context.ts'
import { Problem, type ProblemCode } from '../kernel/domain/problem.ts'
import { formatError } from '../kernel/graph/errors.ts'
import { operationOf, type Operation } from './operation.ts'
import { fieldsOf, responseKeyOf } from './fields-of.ts'

/** Records the errors in the result of an operation in the audit log, by root field. */
export function recordErrors(
  { bank, caller, envelope }: Context,
  operation: Operation,
  errors: readonly GraphQLFormattedError[],
): void {
  // The bank's own operations are not audited.
  if (caller === bankCaller) return
  for (const { path, extensions = {} } of errors) {
    const { code, resourceId } = extensions as { code: ProblemCode; resourceId?: string }
    const { requestId } = envelope
    const rootField = rootFieldOf(operation, path?.[0])
    bank.refusals.record({ caller, operation: rootField, code, resourceId, requestId })
  }
}

/**
 * Records a request that was rejected before the operation was executed. For a socket, `request` is
 * null, and `requestId` is the ID in the error that the client receives. An error that is not a Problem
 * is not recorded.
 */
export function recordRejection(
  bank: Bank,
  request: FastifyRequest | null,
  caller: Caller | null,
  error: unknown,
  requestId: string | null = request?.id ?? null,
): void {
  if (!(error instanceof Problem)) return
  // The pattern of the route is recorded, because the path itself is arbitrary input.
  const operation = request
    ? `${request.method} ${request.routeOptions.url ?? '*'}`
    : 'WebSocket /graphql'
  bank.refusals.record({ caller, operation, code: error.code, requestId })
}

/**
 * Records a subscription that was rejected on a socket. Returns the error for the client, with the ID
 * under which it is recorded.
 */
export function rejectionOnSocket(bank: Bank, caller: Caller, error: unknown): GraphQLError {
  const requestId = randomUUID()
  recordRejection(bank, null, caller, error, requestId)
  const { message, extensions } = formatError(error, bank.log)
  return new GraphQLError(message, { extensions: { ...extensions, requestId } })
}

/**
 * Runs a check that may reject the request before the operation is executed, and records the
 * rejection.
 */
export function withRefusalAudit<Result>(
  bank: Bank,
  request: FastifyRequest,
  caller: Caller,
  check: () => Result,
): Result {
  try {
    return check()
  } catch (error) {
    recordRejection(bank, request, caller, error)
    throw error
  }
}

/**
 * Returns the name of the root field with this response key, which may be an alias. If there is no
 * such field, returns `query`, `mutation` or `subscription`.
 */
function rootFieldOf({ document, name }: Operation, key: string | number | undefined): string {
  const node = operationOf(document, name)
  if (!node) return '*'
  const field = fieldsOf(document, node.selectionSet).find((each) => responseKeyOf(each) === key)
  return field?.name.value ?? node.operation
}
