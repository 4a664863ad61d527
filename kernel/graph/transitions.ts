import type { Scope } from '../authorization/scopes.ts'
import { Requires, requireBank } from '../authorization/auth.ts'
import type { Fields, Shape } from '../domain/model.ts'
import type { Versioned } from '../domain/versioned.ts'
import type { Context } from '../environment/context.ts'
import { changeRecord, type RecordKind } from '../writing/records.ts'
import { Arg, Ctx, ID, Mutation, Resolver } from './decorators.ts'
import { argumentTypeOf } from './model-types.ts'

/** The declaration of a mutation that changes the state of a record. */
export interface Transition<Entity, Event extends string> {
  description: string
  scope: Scope
  event: Event
  /** The arguments besides the ID of the record. */
  args?: Fields
  /** Returns the new state of the record. Throws a Problem if the change is not allowed. */
  decide(before: Entity, request: TransitionRequest): Entity | Promise<Entity>
}

/** What a transition is decided on besides the record. `args` has the arguments by name. */
export interface TransitionRequest {
  now: Date
  context: Context
  args: Readonly<Record<string, any>>
}

/** Changes a record: reads it, decides, and commits the new state with its event. */
export type Change<Entity, Event extends string> = (
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  id: string,
  event: Event,
  decide: (before: Entity, now: Date) => Entity | Promise<Entity>,
) => Promise<Entity>

/** Returns the change of a kind of record that delegated users cannot change. */
export function bankChangeOf<Entity extends Versioned, Event extends string>(
  kind: RecordKind<Entity, Event>,
): Change<Entity, Event> {
  return (context, operation, input, id, event, decide) => {
    requireBank(context)
    return changeRecord(context, kind, operation, input, id, event, async (before, now) => ({
      record: await decide(before, now),
    }))
  }
}

/**
 * Returns a resolver with one mutation for each declared transition of a record, named after its
 * key in `transitions`. The first argument of each mutation is the ID of the record.
 */
export function transitionResolver<Entity, Event extends string>(
  shape: Shape,
  change: Change<Entity, Event>,
  transitions: Readonly<Record<string, Transition<Entity, Event>>>,
): Function {
  const key = shape.keys[0]!
  class TransitionResolver {}
  const prototype = TransitionResolver.prototype as Record<string, unknown>
  Resolver()(TransitionResolver)
  for (const [operation, transition] of Object.entries(transitions)) {
    const { description, scope, event, args = {}, decide } = transition
    const names = [key, ...Object.keys(args)]
    prototype[operation] = (...values: unknown[]) => {
      const context = values.at(-1) as Context
      const input = Object.fromEntries(names.map((name, index) => [name, values[index]]))
      return change(context, operation, input, values[0] as string, event, (before, now) =>
        decide(before, { now, context, args: input }),
      )
    }
    Arg(key, () => ID, { description: `The ID of the ${nounOf(key)}.` })(prototype, operation, 0)
    Object.entries(args).forEach(([name, field], index) => {
      const { description = '', options } = field
      const { isNullable: nullable = false, defaultValue } = options
      const argument = { description, nullable, defaultValue }
      Arg(name, () => argumentTypeOf(field), argument)(prototype, operation, index + 1)
    })
    Ctx()(prototype, operation, names.length)
    const descriptor = Object.getOwnPropertyDescriptor(prototype, operation)!
    Mutation(() => shape, { description })(prototype, operation, descriptor)
    Requires(scope)(prototype, operation, descriptor)
  }
  return TransitionResolver
}

/** Returns the noun in the name of a key, such as `routing profile` for `routingProfileId`. */
const nounOf = (key: string): string =>
  key.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
