import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { execute, expireToolCall } from '../commands/approval.ts'
import { openSessionStatuses } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import { sessionDecision, endSession } from '../commands/session.ts'
import { listSwitches } from '../store/kill-switch.ts'
import { findExpired, findOpen, sessionKind } from '../store/session.ts'
import { findApproved, findUnapproved } from '../store/tool-call.ts'

const batchSize = 50
/**
 * The delay after which `executeApproved` executes an approved tool call. Normally the process that
 * handles the approval executes the call immediately.
 */
const graceMs = 30_000

/** Expires sessions that are idle or have reached their maximum age. */
export const expireSessions: Worker = {
  name: 'assist.expire-sessions',
  followsClock: true,
  purpose: 'Expires idle assist sessions.',
  everyMs: 60_000,
  async run(context) {
    const expiredSessions = await findExpired(context, context.now(), batchSize)
    return processEach(context, expiredSessions, (session) =>
      endOpenSession(context, session, 'expired', 'idle'),
    )
  },
}

/** Ends sessions to which an active kill switch applies. */
export const terminateKilled: Worker = {
  name: 'assist.terminate-killed',
  purpose: 'Ends assist sessions to which an active kill switch applies.',
  everyMs: 60_000,
  wakeOn: ['ai.kill-switch.changed'],
  async run(context) {
    const switches = (await listSwitches(context)).filter(({ isOn }) => isOn)
    const affectedSessions: { session: Session; scope: string }[] = []
    for (const { scope } of switches) {
      const [kind, value] = scope.split(/:(.*)/s) as [string, string?]
      if (kind === 'tool') continue
      const where =
        kind === 'type' ? { assistantType: value! } : kind === 'model' ? { modelAlias: value! } : {}
      const openSessions = await findOpen(context, where, batchSize)
      affectedSessions.push(...openSessions.map((session) => ({ session, scope })))
    }
    return processEach(context, affectedSessions, ({ session, scope }) =>
      endOpenSession(context, session, 'terminated', `kill-switch ${scope}`),
    )
  },
}

async function endOpenSession(
  context: Context,
  { sessionId }: Session,
  to: 'expired' | 'terminated',
  reason: string,
) {
  await command(context, `assist.${to}`, { sessionId }, async () => {
    const before = (await sessionKind.find(context, sessionId))!
    if (!openSessionStatuses.includes(before.status)) return { result: before }
    const now = context.now()
    const { record, writes } = endSession(before, to, reason, now)
    const decision = sessionDecision(before, record, now, `ai.session.${to}`)
    return { ...decision, writes: [...decision.writes!, ...writes] }
  })
}

/** Expires tool calls that were not approved in time. */
export const expireApprovals: Worker = {
  name: 'assist.expire-approvals',
  followsClock: true,
  purpose: 'Expires tool calls that were not approved in time.',
  everyMs: 60_000,
  async run(context) {
    const overdueCalls = await findUnapproved(context, context.now(), batchSize)
    return processEach(context, overdueCalls, (call) =>
      ignoreIfDecided(expireToolCall(context, call)),
    )
  },
}

/** Executes approved tool calls that were not executed because the process died. */
export const executeApproved: Worker = {
  name: 'assist.execute-approved',
  purpose: 'Executes approved tool calls that were not executed because the process died.',
  everyMs: 60_000,
  async run(context) {
    const approvedCalls = await findApproved(context, addMs(context.now(), -graceMs), batchSize)
    return processEach(context, approvedCalls, (call) => execute(context, call))
  },
}

/** Ignores INVALID_STATE_TRANSITION, because a concurrent decision takes precedence. */
async function ignoreIfDecided(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    const isDecided = error instanceof Problem && error.code === 'INVALID_STATE_TRANSITION'
    if (!isDecided) throw error
  })
}
