import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addMs } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import { execute, expireToolCall } from './approvals.ts'
import type { Session } from './domain/session.ts'
import { changed, endSession } from './sessions.ts'
import { listSwitches } from './store/kill-switch.ts'
import { findExpired, findOpen, sessionKind } from './store/session.ts'
import { findApproved, findUnapproved } from './store/tool-call.ts'

const batchSize = 50
/**
 * The process that handles an approval executes the tool call. If it dies, another does so after
 * this delay.
 */
const graceMs = 30_000

/** Expires idle sessions. */
export const expireSessions: Worker = {
  name: 'assist.expire-sessions',
  followsClock: true,
  purpose: 'Expires idle assist sessions.',
  everyMs: 10_000,
  async run(context) {
    const due = await findExpired(context, context.now(), batchSize)
    return doEach(context, due, (session) => end(context, session, 'expired', 'idle'))
  },
}

/** Ends sessions that an active kill switch applies to. */
export const terminateKilled: Worker = {
  name: 'assist.terminate-killed',
  purpose: 'Ends assist sessions that an active kill switch applies to.',
  everyMs: 60_000,
  wakeOn: ['ai.kill-switch.changed'],
  async run(context) {
    const switches = (await listSwitches(context)).filter(({ isOn }) => isOn)
    const due: { session: Session; scope: string }[] = []
    for (const { scope } of switches) {
      const [kind, value] = scope.split(/:(.*)/s) as [string, string?]
      if (kind === 'tool') continue
      const where =
        kind === 'type' ? { assistantType: value! } : kind === 'model' ? { modelAlias: value! } : {}
      const open = await findOpen(context, where, batchSize)
      due.push(...open.map((session) => ({ session, scope })))
    }
    return doEach(context, due, ({ session, scope }) =>
      end(context, session, 'terminated', `kill-switch ${scope}`),
    )
  },
}

async function end(
  context: Context,
  { sessionId }: Session,
  to: 'expired' | 'terminated',
  reason: string,
) {
  await command(context, `assist.${to}`, { sessionId }, async () => {
    const before = (await sessionKind.find(context, sessionId))!
    if (before.status !== 'active' && before.status !== 'awaiting-approval') {
      return { result: before }
    }
    const now = context.now()
    const { record, writes } = endSession(before, to, reason, now)
    const decision = changed(before, record, now, `ai.session.${to}`)
    return { ...decision, writes: [...decision.writes!, ...writes] }
  })
}

/** Expires tool calls that were not approved in time. */
export const expireApprovals: Worker = {
  name: 'assist.expire-approvals',
  followsClock: true,
  purpose: 'Expires tool calls that were not approved in time.',
  everyMs: 10_000,
  async run(context) {
    const due = await findUnapproved(context, context.now(), batchSize)
    return doEach(context, due, (call) => unlessDecided(expireToolCall(context, call)))
  },
}

/** Executes approved tool calls whose process died before executing them. */
export const executeApproved: Worker = {
  name: 'assist.execute-approved',
  purpose: 'Executes approved tool calls whose process died before executing them.',
  everyMs: 10_000,
  async run(context) {
    const due = await findApproved(context, addMs(context.now(), -graceMs), batchSize)
    return doEach(context, due, (call) => execute(context, call))
  },
}

/** A concurrent decision on the same record takes precedence. */
async function unlessDecided(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    const isDecided = error instanceof Problem && error.code === 'INVALID_STATE_TRANSITION'
    if (!isDecided) throw error
  })
}
