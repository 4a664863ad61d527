import type { KillSwitch } from '../model/tool-call.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { findSwitch, writeSwitch } from '../store/kill-switch.ts'

const scopePattern = /^(?:all|(?:type|model|tool):[A-Za-z0-9._:~-]{1,64})$/

/**
 * Disables or enables all assistants, a type, a model or a tool. An active switch stops the
 * affected turns within a second and ends the affected sessions. A switch for a tool only denies
 * calls of the tool.
 * Throws VALIDATION_FAILED, NOT_FOR_DELEGATED_USERS.
 */
export function setKillSwitch(
  context: Context,
  request: { scope: string; isOn: boolean; reason?: string | null },
): Promise<KillSwitch> {
  requireBank(context)
  const { scope, isOn, reason = null } = request
  if (!scopePattern.test(scope)) {
    const detail = `The scope "${scope}" is invalid. Use all, type:<type>, model:<alias> or tool:<name>.`
    const errors = [{ pointer: '/scope', code: 'INVALID', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return command(context, 'setAssistKillSwitch', request, async () => {
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
