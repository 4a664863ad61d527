import type { Enumeration, Field, Shape, TypeOf } from './model.ts'
import { Problem } from './problem.ts'
import type { Scope } from './scopes.ts'
import type { Transitions } from './states.ts'

/** The fields of a record that the arguments of a transition set. */
export type RecordFields<Entity> = { [Name in keyof Entity]?: Field<Entity[Name]> }

/** Who changes the state of a record, and when. */
export interface TransitionRequest {
  now: Date
  /** The user or the client, as the subject of the access token. */
  subject: string
}

/** A transition that a mutation makes. */
export interface Transition<Entity, State extends string, Event extends string = string> {
  /** The description of the mutation. */
  description: string
  /** The scope that the mutation requires. */
  scope: Scope
  from: readonly State[]
  to: State
  /** The type of the event, and its meaning in one sentence. */
  event: readonly [type: Event, meaning: string]
  /** The arguments of the mutation besides the ID. Each sets the field of the same name. */
  args?: RecordFields<Entity>
  /** Returns other fields that the transition sets. */
  set?(request: TransitionRequest): Partial<Entity>
  /** Whether delegated users may make the transition as well, not only the bank. */
  isForDelegatedUsers?: boolean
  /** Whether a person must answer for it, so that a client that acts for itself is rejected. */
  needsPerson?: boolean
}

/** The states of a kind of record and the transitions between them. */
export interface StateMachine<
  Entity,
  Member extends keyof Entity & string,
  Declared extends Readonly<Record<string, Transition<Entity, StateOf<Entity, Member>>>>,
> {
  shape: Shape
  /** The field that contains the state. */
  member: Member
  /** The transitions by the name of their mutation. */
  transitions: Declared
  /** The allowed transitions. */
  table: Transitions<StateOf<Entity, Member>>
}

/** The states that a field of a record can contain. */
export type StateOf<Entity, Member extends keyof Entity> = Entity[Member] & string

/** Any state machine, of any kind of record. */
export type AnyStateMachine = StateMachine<any, any, Readonly<Record<string, Transition<any, any>>>>

/** The types of the events that the transitions of a state machine emit. */
export type EventOf<Machine extends AnyStateMachine> =
  Machine['transitions'][keyof Machine['transitions']]['event'][0]

/**
 * Declares the state machine of a kind of record. `member` is the field with the state, whose type
 * is an enumeration. `transitions` has the transitions that mutations make, by the name of the
 * mutation. `otherTransitions` has those that are made in other ways, such as by a worker.
 */
export function stateMachine<
  Declaration extends Shape,
  Member extends keyof TypeOf<Declaration> & string,
  const Declared extends Readonly<
    Record<string, Transition<TypeOf<Declaration>, StateOf<TypeOf<Declaration>, Member>>>
  >,
>(
  shape: Declaration,
  member: Member,
  transitions: Declared,
  otherTransitions: Partial<Transitions<StateOf<TypeOf<Declaration>, Member>>> = {},
): StateMachine<TypeOf<Declaration>, Member, Declared> {
  type State = StateOf<TypeOf<Declaration>, Member>
  const { values } = shape.fields[member]!.type as Enumeration<State>
  const nextStatesOf = (state: State): State[] => {
    const declared = Object.values(transitions).filter(({ from }) => from.includes(state))
    return [...new Set([...declared.map(({ to }) => to), ...(otherTransitions[state] ?? [])])]
  }
  const table = Object.fromEntries(values.map((state) => [state, nextStatesOf(state)]))
  return { shape, member, transitions, table: table as unknown as Transitions<State> }
}

/**
 * Returns the record in the state to which a transition leads. Throws INVALID_STATE_TRANSITION, with
 * the current state and the states that other transitions lead to.
 */
export function changeState<Machine extends AnyStateMachine, Entity extends object>(
  machine: Machine,
  operation: keyof Machine['transitions'] & string,
  record: Entity,
): Entity {
  const { shape, member, table, transitions } = machine
  const { from, to } = transitions[operation]!
  const fields = record as Readonly<Record<string, string>>
  const state = fields[member]!
  if (from.includes(state)) return { ...record, [member]: to }
  const resourceId = shape.keys.map((key) => fields[key]).join(' ')
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `${resourceId} is ${state} and cannot become ${to}.`,
    resourceId,
    currentState: state,
    allowedStates: table[state]!.filter((next) => next !== to),
  })
}

/**
 * Applies a transition: changes the state and sets the fields that the transition declares. `values`
 * has the arguments by the name of their field. Throws INVALID_STATE_TRANSITION.
 */
export function applyTransition<Machine extends AnyStateMachine, Entity extends object>(
  machine: Machine,
  operation: keyof Machine['transitions'] & string,
  record: Entity,
  request: TransitionRequest,
  values: Partial<Entity> = {},
): Entity {
  const changes = machine.transitions[operation]!.set?.(request)
  return { ...changeState(machine, operation, record), ...(changes as Partial<Entity>), ...values }
}

/**
 * Returns the events that the transitions of a state machine emit: each type with its meaning.
 * Throws an Error if two transitions give the same type different meanings.
 */
export function eventsOf<Machine extends AnyStateMachine>(
  machine: Machine,
): Record<EventOf<Machine>, string> {
  const meanings: Record<string, string> = {}
  for (const { event } of Object.values(machine.transitions)) {
    const [type, meaning] = event
    if ((meanings[type] ?? meaning) !== meaning) {
      throw new Error(`The event ${type} is declared with two meanings.`)
    }
    meanings[type] = meaning
  }
  return meanings
}
