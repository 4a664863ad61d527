import { getVariableValues, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { getArgumentValues } from 'graphql/execution/values.js'
import { maySee, requireScope } from '../kernel/authorization/auth.ts'
import {
  mayReceiveType,
  requireReceivableTypes,
} from '../kernel/authorization/restricted-events.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import { createContext } from '../kernel/environment/context.ts'
import {
  parsePosition,
  requireKnownTypes,
  matchesEvent,
  type EventFilter,
} from '../kernel/domain/event-filter.ts'
import { filterSubject } from '../kernel/domain/filter-value.ts'
import { cursorOf, type LogCursor } from '../kernel/events/event-ring.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { knownEvents, type EventHeader } from '../kernel/events/events.ts'
import type { Graph } from './graph.ts'
import { withGraphQLErrors } from './errors.ts'
import { eventIdVariable, eventQuery, usedVariables } from './event-query.ts'
import { fieldsOf } from './fields-of.ts'
import { operationOf, type Operation } from './operation.ts'
import { attemptOf, eventsAfter, withRetries } from './stream-retries.ts'

const maxSharedRuns = 2000
const maxSharedBytes = 32 * 2 ** 20

/** A prepared subscription of a client, which is served over a socket or a stream. */
export interface Subscription {
  filter: EventFilter
  caller: Caller
  /** The place in the event log after which the subscription starts. */
  start: LogCursor
  /** Set if the client named the event before `start`. The log may have another one there. */
  mustCheckStart?: boolean
  /** Subscriptions with the same key receive the same events with the same selected data. */
  key: string
  /**
   * Returns the execution result for one event as JSON, with the permissions of `caller`. Throws if
   * the event cannot be read despite retries; the stream must then end before this event.
   */
  serializeEvent(event: EventHeader, caller: Caller): Promise<Buffer>
}

/** Whether an event matches the filter of the subscription and may be sent to the caller. */
export function receives({ filter }: Subscription, caller: Caller, event: EventHeader): boolean {
  const isReceivable = maySee(caller, event.parties) && mayReceiveType(caller, event.type)
  return isReceivable && matchesEvent(filter, event)
}

/**
 * Prepares and executes the subscription `businessEvents` for all sockets and streams that one
 * environment has in this process. The selection of a client is converted once to a query on
 * `businessEvent(eventId)`, which is executed for each event. Listeners with equal permissions and
 * equal selections share one execution and its serialized result.
 */
export class Subscriptions {
  readonly #graph: Graph
  readonly #bank: Bank
  readonly #sharedResults = new Map<string, { answer: Promise<Buffer>; bytes: number }>()
  #sharedBytes = 0

  constructor(graph: Graph, bank: Bank) {
    this.#graph = graph
    this.#bank = bank
  }

  /**
   * Prepares a subscription. It starts after the position in the argument `after`, or at the
   * current end of the event log. The ID in `afterEventId` is compared when the stream starts. Throws
   * INSUFFICIENT_SCOPE, UNKNOWN_EVENT_TYPE, PAGE_TOKEN_INVALID and VALIDATION_FAILED.
   */
  prepare(operation: Operation, variables: Record<string, unknown>, caller: Caller): Subscription {
    requireScope(caller, 'events:read')
    const node = operationOf(operation.document, operation.name)!
    // The limits of documents allow a subscription only one root field.
    const field = fieldsOf(operation.document, node.selectionSet)[0]!
    const request = this.#argumentsOf(node, field, variables)
    const types = (request['types'] as string[] | null | undefined) ?? null
    requireKnownTypes(types, knownEvents.keys())
    requireReceivableTypes(caller, types)
    const subjectFilter = filterSubject(request['subject'] as string | null | undefined, '/subject')
    const filter = { types, subject: subjectFilter }
    const start = this.#startOf(request)
    const query = eventQuery(operation, node, field)
    const queryVariables = usedVariables(query.document, variables)
    const { clientId, subject, partyId, scopes } = caller
    // The key includes client and subject, because some records and texts are visible only to one
    // client or one subject.
    const rights = JSON.stringify([clientId, subject, partyId, ...[...scopes].sort()])
    const selection = `${query.hash}|${JSON.stringify(queryVariables)}|${rights}`
    return {
      filter,
      caller,
      start,
      mustCheckStart: typeof request['afterEventId'] === 'string',
      key: `${JSON.stringify(filter)}|${selection}`,
      serializeEvent: (event, eventCaller) =>
        this.#sharedResult(selection, query, queryVariables, eventCaller, event),
    }
  }

  #startOf(request: Record<string, unknown>): LogCursor {
    const { events } = this.#bank
    const position = parsePosition(request['after'] as string | null | undefined)
    const eventId = (request['afterEventId'] as string | null | undefined) ?? null
    if (position !== null) return eventId ? { position, eventId } : events.cursorAt(position)
    if (eventId === null) return events.end
    const detail = '`afterEventId` requires the position in `after`.'
    throw new Problem('VALIDATION_FAILED', {
      errors: [{ pointer: '/after', code: 'VALIDATION_FAILED', detail }],
    })
  }

  #argumentsOf(
    node: OperationDefinitionNode,
    field: FieldNode,
    variables: Record<string, unknown>,
  ): Record<string, unknown> {
    const schema = this.#graph.apiSchema
    const { coerced = {} } = getVariableValues(schema, node.variableDefinitions ?? [], variables)
    const definition = schema.getSubscriptionType()!.getFields()[field.name.value]!
    return getArgumentValues(definition, field, coerced)
  }

  #sharedResult(
    selection: string,
    query: Operation,
    variables: Record<string, unknown>,
    caller: Caller,
    event: EventHeader,
  ): Promise<Buffer> {
    const key = `${event.eventId}|${selection}`
    const existing = this.#sharedResults.get(key)
    if (existing) return existing.answer
    const sharedResult = { answer: this.#run(query, variables, caller, event), bytes: 0 }
    this.#sharedResults.set(key, sharedResult)
    sharedResult.answer.then(
      ({ length }) => this.#retain(key, sharedResult, length),
      () => this.#sharedResults.delete(key),
    )
    return sharedResult.answer
  }

  async #run(
    query: Operation,
    variables: Record<string, unknown>,
    caller: Caller,
    event: EventHeader,
  ): Promise<Buffer> {
    const withEvent = { ...variables, [eventIdVariable]: event.eventId }
    const result = await withRetries(this.#bank, async () => {
      const context = createContext(this.#bank, caller, {
        authorization: undefined,
        requestId: event.correlationId,
        traceparent: undefined,
        idempotencyKey: undefined,
        deadlineMs: Date.now() + 10_000,
      })
      return attemptOf(await this.#graph.run(query, withEvent, context))
    })
    return Buffer.from(JSON.stringify(withGraphQLErrors(result, event.correlationId)))
  }

  /** Caches a result for listeners that reach the event later, up to limits of number and size. */
  #retain(key: string, sharedResult: { bytes: number }, bytes: number): void {
    if (this.#sharedResults.get(key) !== sharedResult) return
    sharedResult.bytes = bytes
    this.#sharedBytes += bytes
    for (const [oldest, { bytes: freedBytes }] of this.#sharedResults) {
      if (this.#sharedResults.size <= maxSharedRuns && this.#sharedBytes <= maxSharedBytes) return
      this.#sharedResults.delete(oldest)
      this.#sharedBytes -= freedBytes
    }
  }
}

/**
 * The results of one subscription, which are pulled one at a time. No results are queued between
 * two pulls, so a slow client costs little memory and misses no event. `return()` ends a waiting
 * pull.
 */
export class EventStream implements AsyncIterableIterator<Buffer> {
  readonly #bank: Bank
  readonly #subscription: Subscription
  readonly #endController = new AbortController()
  #place: LogCursor
  #mustCheckStart: boolean
  #batch: EventHeader[] = []

  constructor(bank: Bank, subscription: Subscription) {
    this.#bank = bank
    this.#subscription = subscription
    this.#place = subscription.start
    this.#mustCheckStart = subscription.mustCheckStart ?? false
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { events } = this.#bank
    if (this.#mustCheckStart) await events.requireInLog(this.#place)
    this.#mustCheckStart = false
    while (!this.#endController.signal.aborted && events.isOpen) {
      const event = this.#batch.shift()
      if (event) {
        this.#place = cursorOf(event)
        const value = await this.#serialize(event)
        if (value) return { done: false, value }
        continue
      }
      this.#place = events.current(this.#place)
      this.#batch = await eventsAfter(this.#bank, this.#place)
      if (this.#batch.length === 0) {
        await events.waitForEvents(this.#place, this.#endController.signal)
      }
    }
    return { done: true, value: undefined }
  }

  /** Returns null if the subscription does not receive the event, or if a failover lost it. */
  async #serialize(event: EventHeader): Promise<Buffer | null> {
    const { losses } = this.#bank.events
    const { caller } = this.#subscription
    if (!receives(this.#subscription, caller, event)) return null
    try {
      return await this.#subscription.serializeEvent(event, caller)
    } catch (error) {
      if (losses.has(event)) return null
      throw error
    }
  }

  return(): Promise<IteratorResult<Buffer>> {
    this.#endController.abort()
    return Promise.resolve({ done: true, value: undefined })
  }

  throw(): Promise<IteratorResult<Buffer>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
