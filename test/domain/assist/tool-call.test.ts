import { ToolCallState, SessionStatus } from '../../../subgraphs/assist/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  approveCall,
  editCall,
  holdForApproval,
  transitionToolCall,
  rejectCall,
  toolCallTransitions,
} from '../../../subgraphs/assist/domain/tool-call.ts'
import { beginTurn, transitionSession } from '../../../subgraphs/assist/domain/session.ts'
import { sessionStates, type Session } from '../../../subgraphs/assist/model/assist.ts'
import type { ToolCall } from '../../../subgraphs/assist/model/tool-call.ts'

const now = new Date('2026-03-02T09:00:00Z')
const later = new Date('2026-03-02T09:20:00Z')
const requested: ToolCall = {
  toolCallId: 'tcl_1',
  sessionId: 'ses_1',
  name: 'transfer',
  args: {},
  argumentsHash: 'h1',
  state: 'requested',
  isTainted: false,
  requestedAt: now,
  expiresAt: null,
  requestedBy: null,
  requesterToken: null,
  editedBy: null,
  decidedBy: null,
  decidedAt: null,
  reason: null,
  result: null,
  version: 1,
}
const held = holdForApproval(requested, now)
const request = { argumentsHash: 'h1', by: 'supervisor', reason: null }

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'done'
}

describe('approval of a tool call', () => {
  test('requires another person, in time, for unchanged arguments', () => {
    expect(approveCall(held, 'ada', request, now)).toMatchObject({ state: 'approved' })
    expect(codeOf(() => approveCall(held, 'ada', request, later))).toBe('APPROVAL_EXPIRED')
    expect(codeOf(() => approveCall(held, 'supervisor', request, now))).toBe(
      'SEGREGATION_OF_DUTIES',
    )
    const edited = editCall(held, { args: { amount: '1' }, argumentsHash: 'h2' }, 'editor')
    expect(codeOf(() => approveCall(edited, 'ada', request, now))).toBe('ARGUMENTS_CHANGED')
    const own = { ...request, by: 'editor', argumentsHash: 'h2' }
    expect(codeOf(() => approveCall(edited, 'ada', own, now))).toBe('SEGREGATION_OF_DUTIES')
  })

  test.each(ToolCallState.values.filter((state) => state !== 'awaiting-approval'))(
    'is possible only while awaiting approval, not when %s',
    (state) => {
      const call = { ...held, state }
      for (const act of [
        () => approveCall(call, 'ada', request, now),
        () => rejectCall(call, 'supervisor', null, now),
        () => editCall(call, { args: {}, argumentsHash: 'h2' }, 'editor'),
      ]) {
        expect(codeOf(act)).toBe('INVALID_STATE_TRANSITION')
      }
    },
  )
})

test.each(
  ToolCallState.values.flatMap((from) => ToolCallState.values.map((to) => [from, to] as const)),
)('allows the transition of a tool call from %s to %s only if the table has it', (from, to) => {
  const isAllowed = toolCallTransitions[from].includes(to)
  const code = codeOf(() => transitionToolCall({ ...requested, state: from }, to))
  expect(code).toBe(isAllowed ? 'done' : 'INVALID_STATE_TRANSITION')
})

const session = {
  sessionId: 'ses_1',
  status: 'active',
  messageCount: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicros: 0,
  busyUntil: null,
  busyWith: null,
  expiresAt: later,
} as Session
const limits = { messages: 4, tokens: 100, costMicros: 50 }

test.each(
  SessionStatus.values.flatMap((from) => SessionStatus.values.map((to) => [from, to] as const)),
)('allows the transition of a session from %s to %s only if the table has it', (from, to) => {
  const isAllowed = sessionStates.table[from].includes(to)
  const code = codeOf(() => transitionSession({ ...session, status: from }, to))
  expect(code).toBe(isAllowed ? 'done' : 'INVALID_STATE_TRANSITION')
})

test.each([
  [{}, 'done'],
  [{ status: 'awaiting-approval' as const }, 'APPROVAL_PENDING'],
  [{ status: 'closed' as const }, 'SESSION_NOT_ACTIVE'],
  [{ expiresAt: now }, 'SESSION_NOT_ACTIVE'],
  [{ busyUntil: later }, 'SESSION_BUSY'],
  [{ busyUntil: later, busyWith: 'another' }, 'SESSION_BUSY'],
  [{ busyUntil: later, busyWith: 'this' }, 'IDEMPOTENCY_IN_PROGRESS'],
  [{ busyUntil: now }, 'done'],
  [{ messageCount: 4 }, 'SESSION_BUDGET_EXCEEDED'],
  [{ inputTokens: 60, outputTokens: 40 }, 'SESSION_BUDGET_EXCEEDED'],
  [{ costMicros: 50 }, 'SESSION_BUDGET_EXCEEDED'],
])('starting a turn in a session with %j: %s', (changes, code) => {
  expect(codeOf(() => beginTurn({ ...session, ...changes }, 'this', limits, now))).toBe(code)
})
