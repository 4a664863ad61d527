import { requireBank } from '../authorization/auth.ts'
import type { Field, Fields } from '../domain/model.ts'
import {
  applyTransition,
  type AnyStateMachine,
  type EventOf,
  type Transition,
  type TransitionRequest,
} from '../domain/state-machine.ts'
import type { Versioned } from '../domain/versioned.ts'
import type { Context } from '../environment/context.ts'
import { changeRecord, type RecordKind } from '../writing/records.ts'
import { keyArgumentsOf, type Operation } from './operations.ts'

/** Changes a record: reads it, decides, and commits the new state with its event. */
export type Change<Entity, Event extends string> = (
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  id: string,
  event: Event,
  decide: (before: Entity, now: Date) => Entity | Promise<Entity>,
) => Promise<Entity>

/** What a transition is decided on. `args` has the arguments by name. */
export interface DecisionRequest<Entity> extends TransitionRequest {
  context: Context
  before: Entity
  args: Readonly<Record<string, any>>
}

/**
 * Decides a transition that depends on more than the state. `after` has the new state and the
 * fields that the transition sets. Returns the record to store. Throws a Problem if the change is
 * not allowed.
 */
export type Decide<Entity> = (
  after: Entity,
  request: DecisionRequest<Entity>,
) => Entity | Promise<Entity>

/** Returns the change of a kind of record. */
export function changeOf<Entity extends Versioned, Event extends string>(
  kind: RecordKind<Entity, Event>,
): Change<Entity, Event> {
  return (context, operation, input, id, event, decide) =>
    changeRecord(context, kind, operation, input, id, event, async (before, now) => ({
      record: await decide(before, now),
    }))
}

/**
 * Returns the mutations of a state machine. The first arguments of each are the keys of the record.
 * `decisions` has the rules of the transitions that depend on more than the state.
 */
export function transitionsOf<Entity extends object, Machine extends AnyStateMachine>(
  machine: Machine,
  change: Change<Entity, EventOf<Machine>>,
  decisions: Partial<Record<keyof Machine['transitions'], Decide<Entity>>> = {},
): Record<keyof Machine['transitions'] & string, Operation> {
  const keys = keyArgumentsOf(machine.shape)
  const mutationOf = (name: string, transition: Transition<any, string>): Operation => {
    const fields = (transition.args ?? {}) as Fields
    const args = { ...keys, ...fields }
    const decide: Decide<Entity> = decisions[name] ?? ((after) => after)
    return {
      returns: machine.shape,
      description: transition.description,
      scope: transition.scope,
      args,
      needsPerson: transition.needsPerson ?? false,
      resolve(context, values) {
        if (!transition.isForDelegatedUsers) requireBank(context)
        const id = values[machine.shape.keys[0]!] as string
        const [event] = transition.event
        return change(context, name, inputOf(args, values), id, event, (before, now) => {
          const request = { now, subject: context.caller.subject }
          const changes = pick(values, Object.keys(fields)) as Partial<Entity>
          const after = applyTransition<Machine, Entity>(machine, name, before, request, changes)
          return decide(after, { ...request, context, before, args: values })
        })
      },
    }
  }
  const mutations = Object.entries(machine.transitions).map(
    ([name, transition]) => [name, mutationOf(name, transition)] as const,
  )
  return Object.fromEntries(mutations) as Record<keyof Machine['transitions'] & string, Operation>
}

const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** Returns the arguments by the names that they have in the graph. */
function inputOf(args: Fields, values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(args as Record<string, Field<unknown>>)
  return Object.fromEntries(
    entries.map(([name, { options }]) => [options.graphName ?? name, values[name]]),
  )
}
