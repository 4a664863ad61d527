import { getVariableValues, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { getArgumentValues } from 'graphql/execution/values.js'
import { maySee, requireScope } from '../subgraphs/_kernel/auth.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import { createContext } from '../subgraphs/_kernel/context.ts'
import {
  parsePosition,
  requireKnownTypes,
  wants,
  type EventFilter,
} from '../subgraphs/_kernel/domain/event-filter.ts'
import { filterSubject } from '../subgraphs/_kernel/domain/filter-value.ts'
import { knownEvents, type EventNews } from '../subgraphs/_kernel/events.ts'
import type { Graph } from './graph.ts'
import { withGraphQLErrors } from './errors.ts'
import { eventIdVariable, eventQuery, rootField, usedVariables } from './event-query.ts'
import { operationOf, type Operation } from './operation.ts'
import { attemptOf, eventsAfter, withRetries } from './stream-retries.ts'

const mostSharedRuns = 2000
const mostSharedBytes = 32 * 2 ** 20

/** What a client listens to, settled once; then it is heard over a socket or a stream. */
export interface Subscription {
  filter: EventFilter
  caller: Caller
  /** The position after which it begins. */
  after: bigint
  /** Subscriptions of the same key hear the same events in the same words. */
  key: string
  /**
   * The answer for one event, an execution result as JSON, with the rights of `caller`. Rejects when
   * the event cannot be read within the bound of retries: the stream must end before it.
   */
  tell(event: EventNews, caller: Caller): Promise<Buffer>
}

/** Whether the event is asked for, and the caller's to hear. */
export function hears({ filter }: Subscription, caller: Caller, event: EventNews): boolean {
  return wants(filter, event) && maySee(caller, event.parties)
}

/**
 * Settles and runs the subscription `businessEvents` for every socket and stream of this process. A
 * client's selection is turned once into a query on `businessEvent(eventId)`, and run through the
 * gateway for each event; listeners of the same caller with the same selection share one run, and
 * the bytes it comes to.
 */
export class Subscriptions {
  readonly #graph: Graph
  readonly #bank: Bank
  readonly #shared = new Map<string, { answer: Promise<Buffer>; bytes: number }>()
  #sharedBytes = 0

  constructor(graph: Graph, bank: Bank) {
    this.#graph = graph
    this.#bank = bank
  }

  /**
   * What a client may listen to, from now or after the position it names.
   * Refuses with INSUFFICIENT_SCOPE, UNKNOWN_EVENT_TYPE, PAGE_TOKEN_INVALID, VALIDATION_FAILED.
   */
  prepare(operation: Operation, variables: Record<string, unknown>, caller: Caller): Subscription {
    requireScope(caller, 'events:read')
    const node = operationOf(operation.document, operation.name)!
    const field = rootField(node.selectionSet, operation.document)
    const asked = this.#argumentsOf(node, field, variables)
    const types = (asked['types'] as string[] | null | undefined) ?? null
    requireKnownTypes(types, knownEvents.keys())
    const about = filterSubject(asked['subject'] as string | null | undefined, '/subject')
    const filter = { types, subject: about }
    const from = parsePosition(asked['after'] as string | null | undefined)
    const query = eventQuery(operation, node, field)
    const used = usedVariables(query.document, variables)
    const { clientId, subject, partyId, scopes } = caller
    // Some records are one client's, and some words only for who said them.
    const rights = JSON.stringify([clientId, subject, partyId, ...[...scopes].sort()])
    const selection = `${query.hash}|${JSON.stringify(used)}|${rights}`
    return {
      filter,
      caller,
      after: from ?? this.#bank.events.head,
      key: `${JSON.stringify(filter)}|${selection}`,
      tell: (event, as) => this.#tell(selection, query, used, as, event),
    }
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

  #tell(
    selection: string,
    query: Operation,
    variables: Record<string, unknown>,
    caller: Caller,
    event: EventNews,
  ): Promise<Buffer> {
    const key = `${event.position}|${selection}`
    const known = this.#shared.get(key)
    if (known) return known.answer
    const shared = { answer: this.#run(query, variables, caller, event), bytes: 0 }
    this.#shared.set(key, shared)
    shared.answer.then(
      ({ length }) => this.#keep(key, shared, length),
      () => this.#shared.delete(key),
    )
    return shared.answer
  }

  async #run(
    query: Operation,
    variables: Record<string, unknown>,
    caller: Caller,
    event: EventNews,
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
    return Buffer.from(JSON.stringify(withGraphQLErrors(result)))
  }

  /** Remembers an answer for those who come to the event later, within bounds. */
  #keep(key: string, shared: { bytes: number }, bytes: number): void {
    if (this.#shared.get(key) !== shared) return
    shared.bytes = bytes
    this.#sharedBytes += bytes
    for (const [oldest, { bytes: freed }] of this.#shared) {
      if (this.#shared.size <= mostSharedRuns && this.#sharedBytes <= mostSharedBytes) return
      this.#shared.delete(oldest)
      this.#sharedBytes -= freed
    }
  }
}

/**
 * One listener's events, pulled by position: between two pulls it holds no queue, so a slow
 * listener costs no memory and misses nothing. `return()` ends a pull that waits.
 */
export class EventStream implements AsyncIterableIterator<Buffer> {
  readonly #bank: Bank
  readonly #subscription: Subscription
  readonly #ended = new AbortController()
  #position: bigint
  #batch: EventNews[] = []

  constructor(bank: Bank, subscription: Subscription) {
    this.#bank = bank
    this.#subscription = subscription
    this.#position = subscription.after
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { events } = this.#bank
    const { caller } = this.#subscription
    while (!this.#ended.signal.aborted && events.isOpen) {
      const event = this.#batch.shift()
      if (event) {
        this.#position = event.position
        if (!hears(this.#subscription, caller, event)) continue
        return { done: false, value: await this.#subscription.tell(event, caller) }
      }
      this.#batch = await eventsAfter(this.#bank, this.#position)
      if (this.#batch.length === 0) await events.moreThan(this.#position, this.#ended.signal)
    }
    return { done: true, value: undefined }
  }

  return(): Promise<IteratorResult<Buffer>> {
    this.#ended.abort()
    return Promise.resolve({ done: true, value: undefined })
  }

  throw(): Promise<IteratorResult<Buffer>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
