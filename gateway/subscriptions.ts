import {
  getVariableValues,
  Kind,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
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
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { knownEvents, type EventNews } from '../subgraphs/_kernel/events.ts'
import type { Graph } from './graph.ts'
import { withGraphQLErrors } from './errors.ts'
import { operationOf, prepare, type Operation } from './operation.ts'

const eventIdVariable = 'businessEventId_'
const mostSharedRuns = 2000

/**
 * Runs the subscription `businessEvents` for every socket and stream of this process. A client's
 * selection is turned once into a query on `businessEvent(eventId)`, and run through the gateway
 * for each event; listeners with the same selection and the same rights share one run.
 */
export class Subscriptions {
  readonly #graph: Graph
  readonly #bank: Bank
  readonly #shared = new Map<string, Promise<ExecutionResult>>()

  constructor(graph: Graph, bank: Bank) {
    this.#graph = graph
    this.#bank = bank
  }

  /**
   * Starts listening, from now or after the position the client names.
   * Refuses with INSUFFICIENT_SCOPE, UNKNOWN_EVENT_TYPE, PAGE_TOKEN_INVALID, VALIDATION_FAILED.
   */
  start(operation: Operation, variables: Record<string, unknown>, caller: Caller): EventStream {
    requireScope(caller, 'events:read')
    const node = operationOf(operation.document, operation.name)!
    const field = rootField(node.selectionSet, operation.document)
    const asked = this.#argumentsOf(node, field, variables)
    const types = (asked['types'] as string[] | null | undefined) ?? null
    requireKnownTypes(types, knownEvents.keys())
    const filter = { types, subject: (asked['subject'] as string | null | undefined) ?? null }
    const from = parsePosition(asked['after'] as string | null | undefined)
    const query = eventQuery(operation, node, field)
    const used = usedVariables(query.document, variables)
    const rights = `${caller.partyId ?? ''}|${[...caller.scopes].sort().join(' ')}`
    const group = `${query.hash}|${JSON.stringify(used)}|${rights}`
    const run = (event: EventNews) => this.#run(group, query, used, caller, event)
    return new EventStream(this.#bank, filter, from ?? this.#bank.events.head, caller, run)
  }

  #argumentsOf(
    node: OperationDefinitionNode,
    field: FieldNode,
    variables: Record<string, unknown>,
  ): Record<string, unknown> {
    const schema = this.#graph.apiSchema
    const { coerced, errors } = getVariableValues(schema, node.variableDefinitions ?? [], variables)
    if (errors) throw new Problem('VALIDATION_FAILED', { detail: errors[0]!.message })
    const definition = schema.getSubscriptionType()!.getFields()[field.name.value]!
    return getArgumentValues(definition, field, coerced)
  }

  #run(
    group: string,
    query: Operation,
    variables: Record<string, unknown>,
    caller: Caller,
    event: EventNews,
  ): Promise<ExecutionResult> {
    const key = `${event.position}|${group}`
    const known = this.#shared.get(key)
    if (known) return known
    const context = createContext(this.#bank, caller, {
      authorization: undefined,
      requestId: event.correlationId,
      traceparent: undefined,
      idempotencyKey: undefined,
      deadlineMs: Date.now() + 10_000,
    })
    const withEvent = { ...variables, [eventIdVariable]: event.eventId }
    const run = this.#graph.run(query, withEvent, context).then(withGraphQLErrors)
    this.#shared.set(key, run)
    if (this.#shared.size > mostSharedRuns) {
      this.#shared.delete(this.#shared.keys().next().value!)
    }
    return run
  }
}

/**
 * One listener's events, pulled by position: between two pulls it holds no queue, so a slow
 * listener costs no memory and misses nothing. `return()` ends a pull that waits.
 */
export class EventStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #bank: Bank
  readonly #filter: EventFilter
  readonly #caller: Caller
  readonly #run: (event: EventNews) => Promise<ExecutionResult>
  readonly #ended = new AbortController()
  #position: bigint
  #batch: EventNews[] = []

  constructor(
    bank: Bank,
    filter: EventFilter,
    after: bigint,
    caller: Caller,
    run: (event: EventNews) => Promise<ExecutionResult>,
  ) {
    this.#bank = bank
    this.#filter = filter
    this.#position = after
    this.#caller = caller
    this.#run = run
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    const { events } = this.#bank
    while (!this.#ended.signal.aborted && events.isOpen) {
      const event = this.#batch.shift()
      if (event) {
        this.#position = event.position
        if (this.#hears(event)) return { done: false, value: await this.#run(event) }
        continue
      }
      this.#batch = await events.after(this.#position)
      if (this.#batch.length === 0) await events.moreThan(this.#position, this.#ended.signal)
    }
    return { done: true, value: undefined }
  }

  return(): Promise<IteratorResult<ExecutionResult>> {
    this.#ended.abort()
    return Promise.resolve({ done: true, value: undefined })
  }

  throw(): Promise<IteratorResult<ExecutionResult>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #hears(event: EventNews): boolean {
    return wants(this.#filter, event) && maySee(this.#caller, event.parties)
  }
}

/** The one field of a subscription, wherever fragments put it. */
function rootField(set: SelectionSetNode, document: DocumentNode): FieldNode {
  const selection = set.selections[0]!
  if (selection.kind === Kind.FIELD) return selection
  if (selection.kind === Kind.INLINE_FRAGMENT) return rootField(selection.selectionSet, document)
  return rootField(fragmentOf(document, selection.name.value).selectionSet, document)
}

function fragmentOf(document: DocumentNode, name: string): FragmentDefinitionNode {
  return document.definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  )!
}

/** The client's selection as a query on the one event, with the variables and fragments it still uses. */
function eventQuery(
  operation: Operation,
  node: OperationDefinitionNode,
  field: FieldNode,
): Operation {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const
  const variable = { kind: Kind.VARIABLE, name: name(eventIdVariable) } as const
  const event: FieldNode = {
    ...field,
    alias: field.alias ?? name(field.name.value),
    name: name('businessEvent'),
    arguments: [{ kind: Kind.ARGUMENT, name: name('eventId'), value: variable }],
  }
  const fragments = operation.document.definitions.filter(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION &&
      definition.typeCondition.name.value !== 'Subscription',
  )
  const used = variableNames([event, ...fragments])
  const idType = {
    kind: Kind.NON_NULL_TYPE,
    type: { kind: Kind.NAMED_TYPE, name: name('ID') },
  } as const
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: 'query' as OperationDefinitionNode['operation'],
    variableDefinitions: [
      { kind: Kind.VARIABLE_DEFINITION, variable, type: idType },
      ...(node.variableDefinitions ?? []).filter((item) => used.has(item.variable.name.value)),
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [event] },
  }
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [query, ...fragments] }
  return prepare(document, `event:${operation.hash}:${operation.name ?? ''}`)
}

function variableNames(nodes: readonly object[]): Set<string> {
  const names = new Set<string>()
  for (const node of nodes) {
    visit(node as FieldNode, { Variable: ({ name }) => void names.add(name.value) })
  }
  return names
}

function usedVariables(document: DocumentNode, variables: Record<string, unknown>) {
  const used = variableNames(document.definitions)
  return Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name)))
}
