import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { hasConsent } from '../consent-check.ts'
import type { Session } from '../domain/session.ts'
import { findKilled } from '../store/kill-switch.ts'
import { providerOf } from './model.ts'
import type { Completion, OfferedTool, ProviderMessage } from './provider.ts'

const killPollMs = 200

export interface Answered {
  completion: Completion
  /**
   * What stopped the model, a kill switch or withdrawn consent, in which case the completion is
   * empty. Null if nothing did.
   */
  killed: string | null
  latencyMs: number
}

/**
 * Queries the model of a session, and stops as soon as a kill switch applies or consent is
 * withdrawn. `onText` receives the text as it is generated, until then. Throws MODEL_UNAVAILABLE.
 */
export async function askModel(
  context: Context,
  session: Session,
  messages: readonly ProviderMessage[],
  tools: readonly OfferedTool[],
  onText: (piece: string) => void,
): Promise<Answered> {
  const provider = providerOf(context.bank)
  const scopes = [`type:${session.assistantType}`, `model:${provider.alias}`]
  const reason = async () => {
    const [scope] = await findKilled(context, scopes)
    if (scope) return `kill-switch ${scope}`
    return (await hasConsent(context, session)) ? null : 'consent-withdrawn'
  }
  const stop = new AbortController()
  let killed = await reason()
  const startedAt = performance.now()
  const answered = (completion: Completion): Answered => {
    return { completion, killed, latencyMs: Math.round(performance.now() - startedAt) }
  }
  if (killed) return answered(nothing)
  const watch = async () => {
    for (;;) {
      await sleep(killPollMs, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return
      // If the database is briefly unavailable, nothing is stopped; the next check decides.
      killed = await reason().catch(() => null)
      if (killed) return stop.abort()
    }
  }
  const watching = watch()
  const heard = (piece: string) => {
    if (!stop.signal.aborted) onText(piece)
  }
  try {
    const completion = await provider.complete(messages, tools, stop.signal, heard)
    // An interrupted stream ends like a complete one.
    return answered(stop.signal.aborted ? nothing : completion)
  } catch (cause) {
    if (killed) return answered(nothing)
    throw new Problem('MODEL_UNAVAILABLE', {}, { cause })
  } finally {
    stop.abort()
    await watching
  }
}

const nothing: Completion = { content: '', toolCalls: [], inputTokens: 0, outputTokens: 0 }
