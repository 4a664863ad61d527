import { setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError, type ExecutionResult } from 'graphql'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { extensionsOf, problemOf } from '../subgraphs/_kernel/graph/errors.ts'
import { problemOfFormatted } from './errors.ts'

/** Delays before the attempts after the first one; a longer outage ends the stream. */
const delaysMs = [100, 300, 900, 2000]
const maxTotalMs = 15_000

/** How an attempt ended: with a value, with a failure, or with a value that a further attempt may complete. */
export interface Attempt<Value> {
  value?: Value
  failure?: Problem
}

/**
 * Repeats an attempt of a stream within a bound. Returns the value of the last attempt, also an
 * incomplete one; without any, throws its failure: the stream then ends with an error, and the
 * client resumes after its last position. Skipping the event would lose it without a trace.
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
    const isOver = delayMs === undefined || performance.now() - startedMs > maxTotalMs
    if (isOver || !events.isOpen) {
      if (value !== undefined) return value
      throw failure
    }
    await sleep(delayMs, undefined, { ref: false })
  }
}

/** Judges the answer for one event: without the event it failed, and a retryable error in it may pass. */
export function attemptOf(result: ExecutionResult): Attempt<ExecutionResult> {
  const { data, errors = [] } = result
  const hasEvent = Object.values(data ?? {}).some((root) => root !== null)
  const retryable = errors.find(({ extensions }) => extensions['retryable'] === true)
  if (hasEvent && !retryable) return { value: result }
  const error = retryable ?? errors[0]
  const failure = error ? problemOfFormatted(error) : new Problem('EVENT_NOT_FOUND')
  return hasEvent ? { value: result, failure } : { failure }
}

/** The error that ends a stream, as the client receives it. */
export function streamError(bank: Bank, error: unknown): GraphQLError {
  const problem = problemOf(error, bank.log)
  const resume = 'Subscribe again with `after` set to the last position you received.'
  return new GraphQLError(`The stream ended: ${problem.message} ${resume}`, {
    // The subscription can be repeated, whatever ended it.
    extensions: { ...extensionsOf(problem), retryable: true },
  })
}

/** The events after a position, read within the bound of retries. */
export function eventsAfter(bank: Bank, position: bigint) {
  return withRetries(bank, async () => ({ value: await bank.events.after(position) }))
}
