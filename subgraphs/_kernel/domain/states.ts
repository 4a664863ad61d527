import { Problem } from './problem.ts'

/** A state machine as a table: every state, with the states it may move to. A terminal state has none. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/**
 * Promises that the move is in the table.
 * Refuses with INVALID_STATE_TRANSITION, the current state and the allowed ones.
 */
export function requireMove<State extends string>(
  moves: Transitions<State>,
  from: State,
  to: State,
  resourceId: string,
): void {
  if (moves[from].includes(to)) return
  throw new Problem('INVALID_STATE_TRANSITION', {
    detail: `${resourceId} is ${from} and cannot become ${to}.`,
    resourceId,
    currentState: from,
    allowedStates: moves[from],
  })
}

/**
 * The initial state a caller asked for; names of states are compared without case.
 * Refuses with INVALID_INITIAL_STATUS and the allowed ones when the machine does not start there.
 */
export function initialState<State extends string>(
  asked: string | null | undefined,
  allowed: readonly State[],
  fallback: State,
  member = 'status',
): State {
  if (asked === null || asked === undefined) return fallback
  const state = allowed.find((candidate) => candidate === asked.toLowerCase())
  if (state) return state
  throw new Problem('INVALID_INITIAL_STATUS', {
    detail: `A new record starts as ${allowed.join(' or ')}, not as "${asked}".`,
    allowedStates: allowed,
    errors: [
      {
        pointer: `/${member}`,
        code: 'INVALID_INITIAL_STATUS',
        detail: `One of ${allowed.join(', ')}.`,
        allowed,
      },
    ],
  })
}
