import { Problem } from './problem.ts'

/**
 * The allowed transitions of a state machine: for each state, the states to which it may change. A
 * terminal state has an empty list.
 */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** Whether a state is terminal: it allows no transition. */
export function isTerminal<State extends string>(
  transitions: Transitions<State>,
  state: State,
): boolean {
  return transitions[state].length === 0
}

/**
 * The state of a published record, reduced to three values that all areas understand. An `open`
 * record accepts new references. An `ending` record accepts none, but has yet to be settled. An
 * `ended` record is settled.
 */
export type Lifecycle = 'open' | 'ending' | 'ended'

/**
 * Throws INVALID_STATE_TRANSITION, with the current and the allowed states, unless the transition
 * is allowed.
 */
export function assertTransition<State extends string>(
  transitions: Transitions<State>,
  from: State,
  to: State,
  resourceId: string,
): void {
  if (transitions[from].includes(to)) return
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `${resourceId} is ${from} and cannot become ${to}.`,
    resourceId,
    currentState: from,
    allowedStates: transitions[from],
  })
}

/**
 * Returns the requested initial state, whose letter case does not matter; `fallback` if none is
 * requested. Throws INVALID_INITIAL_STATUS for a state that is not in `allowed`.
 */
export function initialState<State extends string>(
  requested: string | null | undefined,
  allowed: readonly State[],
  fallback: State,
  member = 'status',
): State {
  if (requested === null || requested === undefined) return fallback
  const state = allowed.find((candidate) => candidate === requested.toLowerCase())
  if (state) return state
  throw new Problem('INVALID_INITIAL_STATUS', {
    detail: `A new record starts as ${allowed.join(' or ')}, not as "${requested}".`,
    allowedStates: allowed,
    errors: [
      {
        pointer: `/${member}`,
        code: 'INVALID_INITIAL_STATUS',
        detail: `Use one of: ${allowed.join(', ')}.`,
        allowed,
      },
    ],
  })
}
