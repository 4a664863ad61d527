import type { Context } from '../../../kernel/environment/context.ts'
import { mayUseFor } from '../commands/consent-check.ts'
import { argumentFault, isToolName, toolOf } from '../domain/tool.ts'
import type { Session } from '../model/assist.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { findDisabledScopes } from '../store/kill-switch.ts'
import { actingFor } from './acting.ts'

interface Denial {
  /** Whether the arguments are at fault, so that the call fails instead of being denied. */
  isFault: boolean
  detail: string
}

const denied = (detail: string): Denial => ({ isFault: false, detail })

/**
 * Returns why the assistant cannot call a tool for the sender of the message; null if it can. A tool
 * that changes data needs its scope already now, because the person who approves the call would not
 * see that the sender lacks it.
 */
export async function denialOf(
  context: Context,
  session: Session,
  offeredTools: readonly string[],
  name: string,
  args: ToolCall['args'],
): Promise<Denial | null> {
  const isOffered = isToolName(name) && offeredTools.includes(name)
  if (!isOffered || toolOf(name).toolClass === 'forbidden') {
    return denied('This tool is not available to the assistant.')
  }
  const disabledScopes = await findDisabledScopes(context, [`tool:${name}`])
  if (disabledScopes.length > 0) return denied('The tool is disabled by a kill switch.')
  const { scope } = toolOf(name)
  if (scope && !actingFor(session, context.caller).scopes.has(scope)) {
    return denied(`The user who sent the message, or the session, lacks the scope ${scope}.`)
  }
  const fault = argumentFault(name, args)
  if (!fault && !(await mayUseFor(context, session, args))) {
    return denied('The party whose data the tool uses has not consented.')
  }
  return fault ? { isFault: true, detail: fault } : null
}
