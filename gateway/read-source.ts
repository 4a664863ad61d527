import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import { callerKey, type Caller } from '../kernel/authorization/caller.ts'
import { Problem } from '../kernel/domain/problem.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { createContext, type Context } from '../kernel/environment/context.ts'
import type { Graph } from './graph.ts'
import type { Operation } from './operation.ts'

const positionHeader = 'Bankgraph-Position'

/**
 * Returns the bank from which a query of the caller reads: that of the replica, if the replica has
 * what the caller wrote through this process and the position that the request names. Throws
 * VALIDATION_FAILED for a header that is not a position.
 */
export function bankOfQuery(bank: Bank, caller: Caller, request: FastifyRequest): Bank {
  const position = positionIn(request)
  const { replica } = bank
  return replica?.isCurrentFor(callerKey(caller), position) ? replica.bank : bank
}

/**
 * Executes a query. If the replica fails meanwhile, or cancels the query because of what it replays,
 * the query is executed again on `primary`. The errors of the result are formatted for clients.
 */
export async function runQuery(
  graph: Graph,
  primary: Bank,
  operation: Operation,
  variables: object,
  context: Context,
): Promise<ExecutionResult> {
  const result = await graph.run(operation, variables, context)
  const isRepeated =
    context.bank.isReplica &&
    result.errors?.some(({ extensions }) => extensions['code'] === 'DEPENDENCY_UNAVAILABLE')
  if (!isRepeated || Date.now() > context.envelope.deadlineMs) return result
  const { replicaPosition: _, ...envelope } = context.envelope
  const { caller, isAbandoned } = context
  return graph.run(operation, variables, createContext(primary, caller, envelope, isAbandoned))
}

/**
 * Records that the caller may have written, so that its next queries see the write, and returns a
 * position in the header of the response. A client sends the position with a query to another
 * process that must see the write.
 */
export async function recordWrite(bank: Bank, caller: Caller, reply: FastifyReply): Promise<void> {
  const position = await bank.replica?.recordWrite(callerKey(caller))
  if (position) reply.header(positionHeader.toLowerCase(), position.toString())
}

function positionIn({ headers }: FastifyRequest): bigint | null {
  const text = headers[positionHeader.toLowerCase()]
  if (text === undefined) return null
  if (typeof text === 'string' && /^\d{1,18}$/.test(text)) return BigInt(text)
  const detail = `${positionHeader} must be a position of the event log, such as 1204.`
  throw new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ header: positionHeader, code: 'FORMAT', detail }],
  })
}
