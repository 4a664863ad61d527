import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { findSwitch, writeSwitch, type KillSwitch } from './store/kill-switch.ts'

const scopePattern = /^(?:all|(?:type|model|tool):[A-Za-z0-9._:~-]{1,64})$/

/**
 * Disables or re-enables all assistants, a type, a model or a tool. Running answers stop within a
 * second and the affected sessions end. Throws VALIDATION_FAILED, NOT_FOR_DELEGATED_USERS.
 */
export function setKillSwitch(
  context: Context,
  asked: { scope: string; isOn: boolean; reason?: string | null },
): Promise<KillSwitch> {
  requireBank(context)
  const { scope, isOn, reason = null } = asked
  if (!scopePattern.test(scope)) {
    const detail = `"${scope}" is not all, type:<type>, model:<alias> or tool:<name>.`
    const errors = [{ pointer: '/scope', code: 'INVALID', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return command(context, 'setAssistKillSwitch', asked, async () => {
    const before = await findSwitch(context, scope)
    const setAt = context.now()
    const version = (before?.version ?? 0) + 1
    const after = { scope, isOn, reason, setBy: context.caller.subject, setAt, version }
    return {
      result: after,
      resourceId: scope,
      writes: [writeSwitch(before, after)],
      events: [
        {
          type: 'ai.kill-switch.changed',
          subject: `assist-kill-switch/${scope.replaceAll(':', '.')}`,
          version,
          data: { scope, isOn: isOn ? 'on' : 'off' },
          parties: [],
        },
      ],
    }
  })
}
