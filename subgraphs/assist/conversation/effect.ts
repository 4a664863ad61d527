import type { Context } from '../../../kernel/environment/context.ts'
import { catalog } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { currentlyActingFor } from './acting.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { previewOf } from '../domain/tool.ts'
import { sessionKind } from '../store/session.ts'
import { runTool } from '../tools/run.ts'
import type { Args } from '../tools/tool-run.ts'

/**
 * Previews the effect of executing a tool call now, with the permissions of its session and of the
 * sender of the message. If the execution would be rejected, the result contains the error. Returns
 * null if the tool call does not wait for approval or its tool has no preview.
 */
export async function effectOf(context: Context, call: ToolCall): Promise<object | null> {
  const { toolCallId, sessionId, name, state, args } = call
  const preview = state === 'awaiting-approval' ? previewOf(name, args) : null
  if (!preview) return null
  const session = await sessionKind.find(context, sessionId)
  try {
    const acting = { caller: await currentlyActingFor(context, session!, call), toolCallId }
    return await runTool(context.bank, preview.name, acting, preview.args as Args)
  } catch (error) {
    if (!(error instanceof Problem) || 'retryable' in catalog[error.code]) throw error
    return { error: error.message, code: error.code }
  }
}
