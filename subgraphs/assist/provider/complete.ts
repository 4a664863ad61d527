import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { hasConsent } from '../commands/consent-check.ts'
import type { Session } from '../model/assist.ts'
import { findDisabledScopes } from '../store/kill-switch.ts'
import { providerOf } from './model.ts'
import type { Completion, OfferedTool, ProviderMessage } from './provider.ts'

const killPollMs = 200

export interface ModelResponse {
  completion: Completion
  /**
   * Why the model was stopped: `kill-switch <scope>` or `consent-withdrawn`; null if the model was
   * not stopped. The completion of a stopped model is empty.
   */
  haltReason: string | null
  latencyMs: number
}

/**
 * Queries the model of a session. The query is aborted within a second if a kill switch applies or
 * consent is withdrawn. `onText` receives the text as it is generated. Throws MODEL_UNAVAILABLE.
 */
export async function completeWithModel(
  context: Context,
  session: Session,
  messages: readonly ProviderMessage[],
  tools: readonly OfferedTool[],
  onText: (piece: string) => void,
): Promise<ModelResponse> {
  const provider = providerOf(context.bank)
  const scopes = [`type:${session.assistantType}`, `model:${provider.alias}`]
  const stopReason = async () => {
    const [scope] = await findDisabledScopes(context, scopes)
    if (scope) return `kill-switch ${scope}`
    return (await hasConsent(context, session)) ? null : 'consent-withdrawn'
  }
  const stopController = new AbortController()
  let haltReason = await stopReason()
  const startedAt = performance.now()
  const result = (completion: Completion): ModelResponse => {
    return { completion, haltReason, latencyMs: Math.round(performance.now() - startedAt) }
  }
  if (haltReason) return result(emptyCompletion)
  const pollStopReason = async () => {
    for (;;) {
      await sleep(killPollMs, undefined, { signal: stopController.signal }).catch(() => undefined)
      if (stopController.signal.aborted) return
      // If the database is briefly unavailable, the model continues until the next check.
      haltReason = await stopReason().catch(() => null)
      if (haltReason) return stopController.abort()
    }
  }
  const polling = pollStopReason()
  const forwardText = (piece: string) => {
    if (!stopController.signal.aborted) onText(piece)
  }
  try {
    const completion = await provider.complete(messages, tools, stopController.signal, forwardText)
    // An aborted stream does not always throw; it can end like a complete stream.
    return result(stopController.signal.aborted ? emptyCompletion : completion)
  } catch (cause) {
    if (haltReason) return result(emptyCompletion)
    throw new Problem('MODEL_UNAVAILABLE', {}, { cause })
  } finally {
    stopController.abort()
    await polling
  }
}

const emptyCompletion: Completion = { content: '', toolCalls: [], inputTokens: 0, outputTokens: 0 }
