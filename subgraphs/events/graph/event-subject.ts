import { createUnionType } from 'type-graphql'
import { id, reference, type Shape } from '../../../kernel/domain/model.ts'
import { subjectShapes } from '../../../kernel/events/record-data.ts'
import { graphTypeOf } from '../../../kernel/graph/model-types.ts'
import { EventSubscription } from '../model/subscription.ts'
import { WebhookDelivery, WebhookEndpoint } from '../model/webhook.ts'

const ownShapes: readonly Shape[] = [EventSubscription, WebhookEndpoint, WebhookDelivery]

/** The references to the types of other subgraphs, by type name. */
const references = new Map<string, Shape>()

/**
 * Returns references to the types that events can be about, which the areas declare with their
 * events, by name, so that the order in which areas are loaded does not matter. Call it when all
 * areas are loaded.
 */
export function subjectReferences(): Shape[] {
  for (const { name, keys } of [...subjectShapes.values()].filter(isReferable)) {
    const [key] = keys
    if (key && !references.has(name)) references.set(name, reference(name, { [key]: id() }))
  }
  const byName = (a: Shape, b: Shape) => (a.name < b.name ? -1 : 1)
  return [...references.values()].sort(byName)
}

/** Whether the graph can resolve the type: in the area that declares it, or in another one. */
const isReferable = (shape: Shape): boolean => shape.isResolvable || shape.description === undefined

export const EventSubject = createUnionType({
  name: 'EventSubject',
  description:
    'The record that an event is about, in its current state. Its fields can be selected from ' +
    'any subgraph.',
  types: () => [...subjectReferences(), ...ownShapes].map(graphTypeOf) as never,
  resolveType: (value: { __typename: string }) => value.__typename,
})

/**
 * Returns the federation reference of a subject such as `notification/ntf_1`; null if the graph has
 * no type for its entity.
 */
export function subjectReference(subject: string): object | null {
  const slash = subject.indexOf('/')
  const shape = subjectShapes.get(subject.slice(0, slash))
  if (!shape || !isReferable(shape)) return null
  return { __typename: shape.name, [shape.keys[0]!]: subject.slice(slash + 1) }
}
