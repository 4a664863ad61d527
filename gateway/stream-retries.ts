import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError, type ExecutionResult } from 'graphql'
import type { Bank } from '../kernel/environment/bank.ts'
import type { LogCursor } from '../kernel/events/event-ring.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { extensionsOf, problemOf } from '../kernel/graph/errors.ts'
import { problemOfFormatted } from './errors.ts'

/** The delay before each retry. An outage that outlasts the retries ends the stream. */
const delaysMs = [100, 300, 900, 2000]
const maxTotalMs = 15_000

/**
 * The result of an attempt: a value, a failure, or both if the value is incomplete and a retry may
 * complete it.
 */
export interface Attempt<Value> {
  value?: Value
  failure?: Problem
}

/**
 * Retries an attempt a limited number of times. Returns the value of the last attempt, even if the
 * value is incomplete. If the last attempt has no value, throws its failure. Skipping the event
 * would lose it silently; instead, the stream ends with an error and the client resumes after its
 * last position.
 */
export async function withRetries<Value>(
  { events, log }: Bank,
  attempt: () => Promise<Attempt<Value>>,
): Promise<Value> {
  const startedMs = performance.now()
  for (let retries = 0; ; retries++) {
    const { value, failure } = await attempt().catch((error: unknown): Attempt<Value> => ({
      failure: problemOf(error, log),
    }))
    if (!failure) return value!
    const delayMs = delaysMs[retries]
    const isExhausted = delayMs === undefined || performance.now() - startedMs > maxTotalMs
    if (isExhausted || !events.isOpen) {
      if (value !== undefined) return value
      throw failure
    }
    await sleep(delayMs, undefined, { ref: false })
  }
}

/**
 * Converts the result for one event to an attempt. A result without the event is a failure. A
 * result with the event and a retryable error is incomplete.
 */
export function attemptOf(result: ExecutionResult): Attempt<ExecutionResult> {
  const { data, errors = [] } = result
  const hasEvent = Object.values(data ?? {}).some((root) => root !== null)
  const retryableError = errors.find(({ extensions }) => extensions['retryable'] === true)
  if (hasEvent && !retryableError) return { value: result }
  const error = retryableError ?? errors[0]
  const failure = error ? problemOfFormatted(error) : new Problem('EVENT_NOT_FOUND')
  return hasEvent ? { value: result, failure } : { failure }
}

/**
 * Returns the error that the client receives when an error ends a stream. The log has the ID of the
 * request, or of the error if a socket has no request for the stream.
 */
export function streamError(
  bank: Bank,
  error: unknown,
  requestId: string = randomUUID(),
): GraphQLError {
  const problem = problemOf(error, bank.log)
  bank.log.info({ requestId, code: problem.code }, 'a stream ended with an error')
  // This one says itself how to continue; the same subscription would fail again.
  if (problem.code === 'POSITION_NOT_IN_LOG') {
    return new GraphQLError(problem.message, {
      extensions: { ...extensionsOf(problem), requestId },
    })
  }
  const advice =
    'Subscribe again with `after` and `afterEventId` set to the position and the ID of the last ' +
    'event you received.'
  return new GraphQLError(`The stream ended: ${problem.message} ${advice}`, {
    // Always retryable, because the client can subscribe again.
    extensions: { ...extensionsOf(problem), retryable: true, requestId },
  })
}

/** Returns the events after a place. Failed reads are retried. */
export function eventsAfter(bank: Bank, place: LogCursor) {
  return withRetries(bank, async () => ({ value: await bank.events.after(place) }))
}
