import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { actingFor } from './acting.ts'
import { mayUseFor } from './consent-check.ts'
import { promptOf, type AssistantProfile } from './domain/assistant-type.ts'
import type { Masker } from './domain/masking.ts'
import type { Tell } from './domain/frame.ts'
import { summaryOf, type Message, type MessageStatus, type Usage } from './domain/message.ts'
import { inputVerdict, outputVerdict, retrievalVerdict, type Verdict } from './domain/rails.ts'
import type { Session } from './domain/session.ts'
import { holdForApproval, moveCall, type ToolCall } from './domain/tool-call.ts'
import { argumentFault, isToolName, toolOf, type ToolName } from './domain/tool.ts'
import type { Step } from './transcript.ts'
import { argumentsHashOf, sha256 } from './hashes.ts'
import { askModel } from './provider/ask-model.ts'
import { providerOf } from './provider/model.ts'
import type { Completion, OfferedTool, ProviderMessage, WantedCall } from './provider/provider.ts'
import { profileOf } from './registry.ts'
import { findKilled } from './store/kill-switch.ts'
import { Spoken } from './spoken.ts'
import { runTool } from './tools/run.ts'

const mostSteps = 8

/** The result of a turn, before it is committed. */
export interface Turn {
  status: MessageStatus
  content: string
  finishReason: string
  calls: ToolCall[]
  verdicts: Verdict[]
  steps: Step[]
  usage: Usage
  /** `kill-switch <scope>` or `consent-withdrawn` if one of them ended the session; else null. */
  killed: string | null
}

export const safeTexts = {
  input: 'I cannot help with that. I can look up accounts, entries, loans and cases.',
  output: 'I cannot answer that reliably. Please contact the bank.',
  approval: 'This needs the approval of another person. I will continue when it is given.',
  steps: 'I could not find the answer in a reasonable number of steps.',
  'kill-switch': 'This assistant was disabled.',
  'consent-withdrawn': 'The consent to share data with this assistant was withdrawn.',
} as const

/**
 * Runs one turn: input guardrails, then the model and its tools alternately, then output
 * guardrails. The model sees masked data only. Commits nothing. Throws MODEL_UNAVAILABLE.
 */
export async function runTurn(
  context: Context,
  session: Session,
  history: readonly Message[],
  question: string,
  masker: Masker,
  tell: Tell,
): Promise<Turn> {
  const masked = masker.mask(question)
  const turn = aTurn()
  turn.steps.push({ kind: 'message', body: { role: 'user', content: masked } })
  const broken = inputVerdict(question)
  if (broken) return blocked(turn, broken, safeTexts.input, tell)
  const profile = await profileOf(context, session)
  const messages: ProviderMessage[] = [
    { role: 'system', content: promptOf(profile) },
    ...history.map(({ role, content }): ProviderMessage => {
      const said = masker.mask(content)
      return role === 'user' ? { role, content: said } : { role, content: said, toolCalls: [] }
    }),
    { role: 'user', content: masked },
  ]
  const sources = messages.map(({ content }) => content)
  const run = new Run(context, session, profile, masker, turn, messages, sources.slice(1), tell)
  return run.go()
}

function aTurn(): Turn {
  return {
    status: 'completed',
    content: '',
    finishReason: 'stop',
    calls: [],
    verdicts: [],
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    killed: null,
  }
}

function blocked(turn: Turn, verdict: Verdict, content: string, tell: Tell): Turn {
  tell('blocked', { guardrail: verdict })
  turn.verdicts.push(verdict)
  turn.steps.push({ kind: 'guardrail', body: verdict })
  return { ...turn, status: 'blocked', content, finishReason: 'guardrail' }
}

/** A running turn. Exists for one request. */
class Run {
  readonly #context: Context
  readonly #session: Session
  readonly #profile: AssistantProfile
  readonly #masker: Masker
  readonly #turn: Turn
  readonly #messages: ProviderMessage[]
  /** The texts that figures in the answer may come from. */
  readonly #sources: string[]
  readonly #tell: Tell
  #spoken: Spoken | null = null
  #isTainted = false

  constructor(
    context: Context,
    session: Session,
    profile: AssistantProfile,
    masker: Masker,
    turn: Turn,
    messages: ProviderMessage[],
    sources: string[],
    tell: Tell,
  ) {
    this.#context = context
    this.#session = session
    this.#profile = profile
    this.#masker = masker
    this.#turn = turn
    this.#messages = messages
    this.#sources = sources
    this.#tell = tell
  }

  async go(): Promise<Turn> {
    for (let step = 0; step < mostSteps; step++) {
      const { completion, killed } = await this.#complete()
      if (killed) {
        const reason = killed.split(' ')[0] as 'kill-switch' | 'consent-withdrawn'
        return this.#ended('failed', safeTexts[reason], reason, killed)
      }
      if (completion.toolCalls.length === 0) return this.#answer(completion.content)
      // Text that accompanies tool calls is not an answer.
      this.#spoken?.withdraw()
      this.#messages.push({ role: 'assistant', ...completion })
      for (const wanted of completion.toolCalls) {
        const call = await this.#use(wanted)
        if (call.state === 'awaiting-approval') {
          return this.#ended('awaiting-approval', safeTexts.approval, 'approval-required')
        }
      }
    }
    return this.#ended('failed', safeTexts.steps, 'tool-limit')
  }

  #ended(status: MessageStatus, content: string, finishReason: string, killed?: string): Turn {
    this.#spoken?.withdraw()
    return { ...this.#turn, status, content, finishReason, killed: killed ?? null }
  }

  /** Queries the model and streams each sentence that passes the guardrails. */
  async #complete() {
    const spoken = new Spoken(this.#tell, this.#masker, this.#sources)
    this.#spoken = spoken
    const onText = (piece: string) => spoken.push(piece)
    const offered = this.#offered()
    const answered = await askModel(this.#context, this.#session, this.#messages, offered, onText)
    const { completion, killed, latencyMs } = answered
    if (killed) return answered
    const provider = providerOf(this.#context.bank)
    this.#spend(completion, provider.costMicrosPerThousand)
    this.#note('model', {
      prompt: sha256(this.#messages[0]!.content),
      model: `${provider.name}/${provider.model}`,
      content: completion.content,
      wants: completion.toolCalls.map(({ name }) => name),
      latencyMs,
    })
    return answered
  }

  #offered(): OfferedTool[] {
    return this.#profile.tools.map((name) => ({ name, ...toolOf(name) }))
  }

  #spend({ inputTokens, outputTokens }: Completion, micros: number): void {
    const { usage } = this.#turn
    usage.inputTokens += inputTokens
    usage.outputTokens += outputTokens
    usage.costMicros += Math.ceil(((inputTokens + outputTokens) * micros) / 1000)
  }

  async #use({ id, name, args: maskedArgs }: WantedCall): Promise<ToolCall> {
    const args = this.#masker.unmaskIn(maskedArgs) as ToolCall['args']
    const requested = this.#requested(name, args)
    const refusal = await this.#refusalOf(name, args)
    if (refusal) {
      const call = moveCall(requested, refusal.isFault ? 'failed' : 'denied', {
        result: { error: refusal.detail },
      })
      return this.#took(id, call, { error: refusal.detail })
    }
    const tool = toolOf(name as ToolName)
    // After untrusted text was read, even a proposal needs a person's approval.
    if (tool.toolClass === 'act' || (tool.toolClass === 'propose' && this.#isTainted)) {
      const call = holdForApproval(requested, this.#context.now())
      this.#turn.calls.push(call)
      this.#tell('tool', { toolCall: summaryOf(call) })
      this.#note('tool-call', { ...this.#summary(call), args: maskedArgs })
      return call
    }
    const { result, isDone } = await this.#run(name as ToolName, requested)
    const call = moveCall(requested, isDone ? 'executed' : 'failed', { result })
    if (isDone && tool.isUntrusted) this.#taint(result)
    return this.#took(id, call, tool.isUntrusted ? { untrusted: true, data: result } : result)
  }

  #requested(name: string, args: ToolCall['args']): ToolCall {
    return {
      toolCallId: this.#context.newId('toolCall'),
      sessionId: this.#session.sessionId,
      name: name.slice(0, 64),
      args,
      argumentsHash: argumentsHashOf(name, args),
      state: 'requested',
      isTainted: this.#isTainted,
      requestedAt: this.#context.now(),
      expiresAt: null,
      askedBy: this.#context.caller.subject,
      editedBy: null,
      decidedBy: null,
      decidedAt: null,
      reason: null,
      result: null,
      version: 1,
    }
  }

  async #refusalOf(name: string, args: ToolCall['args']) {
    const isOffered = isToolName(name) && (this.#profile.tools as string[]).includes(name)
    if (!isOffered || toolOf(name).toolClass === 'forbidden') {
      return { isFault: false, detail: 'This tool is not available to the assistant.' }
    }
    const killed = await findKilled(this.#context, [`tool:${name}`])
    if (killed.length > 0)
      return { isFault: false, detail: 'The tool is disabled by a kill switch.' }
    const fault = argumentFault(name, args)
    if (!fault && !(await mayUseFor(this.#context, this.#session, args))) {
      return { isFault: false, detail: 'The party whose data the tool uses has not consented.' }
    }
    return fault ? { isFault: true, detail: fault } : null
  }

  async #run(name: ToolName, { toolCallId, args }: ToolCall) {
    const caller = actingFor(this.#session, this.#context.caller)
    try {
      const acting = { caller, toolCallId }
      const result = await runTool(this.#context.bank, name, acting, args as Record<string, string>)
      return { result, isDone: true }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { result: { error: error.message, code: error.code }, isDone: false }
    }
  }

  #taint(result: unknown): void {
    this.#isTainted = true
    const flagged = retrievalVerdict(JSON.stringify(result))
    if (!flagged) return
    this.#turn.verdicts.push(flagged)
    this.#tell('guardrail', { guardrail: flagged })
    this.#note('guardrail', flagged)
  }

  #took(id: string, call: ToolCall, told: unknown): ToolCall {
    const content = JSON.stringify(this.#masker.maskIn(told))
    this.#turn.calls.push(call)
    this.#tell('tool', { toolCall: summaryOf(call) })
    this.#sources.push(content)
    this.#messages.push({ role: 'tool', toolCallId: id, name: call.name, content })
    this.#note('tool-call', this.#summary(call))
    const hash = sha256(JSON.stringify(call.result))
    this.#note('tool-result', { toolCallId: call.toolCallId, state: call.state, hash })
    return call
  }

  #summary({ toolCallId, name, argumentsHash, state, isTainted }: ToolCall) {
    return { toolCallId, name, argumentsHash, state, isTainted }
  }

  #answer(content: string): Turn {
    const broken = outputVerdict(content, this.#sources)
    if (broken) return blocked(this.#turn, broken, safeTexts.output, this.#tell)
    this.#spoken?.end()
    return { ...this.#turn, content: this.#masker.unmask(content) }
  }

  #note(kind: Step['kind'], body: object): void {
    this.#turn.steps.push({ kind, body })
  }
}
