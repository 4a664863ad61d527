import type { Session, Usage } from '../model/assist.ts'
import type { MessageStatus } from '../model/enumerations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { actingFor, tokenIdsOf } from './acting.ts'
import { denialOf } from './denial.ts'
import { promptOf, type AssistantProfile } from '../domain/assistant-type.ts'
import type { Masker } from '../domain/masking.ts'
import type { EmitFrame } from '../domain/frame.ts'
import { summaryOf, type Message } from '../domain/message.ts'
import * as guardrails from '../domain/guardrails.ts'
import { holdForApproval, transitionToolCall } from '../domain/tool-call.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { toolOf, type ToolName } from '../domain/tool.ts'
import type { Step } from './transcript.ts'
import { argumentsHashOf, sha256 } from './hashes.ts'
import { completeWithModel } from '../provider/complete.ts'
import { providerOf } from '../provider/model.ts'
import type { Completion, OfferedTool, ProviderMessage, WantedCall } from '../provider/provider.ts'
import { profileOf } from '../commands/assistant-version.ts'
import { AnswerStream } from './answer-stream.ts'
import { safeTexts } from './safe-texts.ts'
import { runTool } from '../tools/run.ts'

const maxSteps = 8
/** The result of a turn, before it is committed. */
export interface Turn {
  status: MessageStatus
  content: string
  finishReason: string
  calls: ToolCall[]
  verdicts: guardrails.Verdict[]
  steps: Step[]
  usage: Usage
  /** Why the turn was stopped: `kill-switch <scope>` or `consent-withdrawn`; null if it was not. */
  haltReason: string | null
}

/**
 * Runs one turn, and commits nothing: the input guardrails, the model and its tools alternately,
 * the output guardrails. The model receives only masked data. Throws MODEL_UNAVAILABLE.
 */
export async function runTurn(
  context: Context,
  session: Session,
  history: readonly Message[],
  question: string,
  masker: Masker,
  emit: EmitFrame,
): Promise<Turn> {
  const maskedQuestion = masker.mask(question)
  const turn = emptyTurn()
  turn.steps.push({ kind: 'message', body: { role: 'user', content: maskedQuestion } })
  const violation = guardrails.inputVerdict(question)
  if (violation) return blockTurn(turn, violation, safeTexts.input, emit)
  const profile = await profileOf(context, session)
  const messages: ProviderMessage[] = [
    { role: 'system', content: promptOf(profile) },
    ...history.map(({ role, content }): ProviderMessage => {
      const masked = masker.mask(content)
      return role === 'user' ? { role, content: masked } : { role, content: masked, toolCalls: [] }
    }),
    { role: 'user', content: maskedQuestion },
  ]
  const sources = messages.map(({ content }) => content)
  const run = new Run(context, session, profile, masker, turn, messages, sources.slice(1), emit)
  return run.execute()
}

function emptyTurn(): Turn {
  return {
    status: 'completed',
    content: '',
    finishReason: 'stop',
    calls: [],
    verdicts: [],
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    haltReason: null,
  }
}

type Verdict = guardrails.Verdict

function blockTurn(turn: Turn, verdict: Verdict, content: string, emit: EmitFrame): Turn {
  emit('blocked', { guardrail: verdict })
  turn.verdicts.push(verdict)
  turn.steps.push({ kind: 'guardrail', body: verdict })
  return { ...turn, status: 'blocked', content, finishReason: 'guardrail' }
}

/** The running turn of one request. */
class Run {
  readonly #context: Context
  readonly #session: Session
  readonly #profile: AssistantProfile
  readonly #masker: Masker
  readonly #turn: Turn
  readonly #messages: ProviderMessage[]
  /** The sources of the answer's figures. */
  readonly #sources: string[]
  readonly #emit: EmitFrame
  #answerStream: AnswerStream | null = null
  /** Whether the model has read untrusted text in this turn. */
  #isTainted = false

  constructor(
    context: Context,
    session: Session,
    profile: AssistantProfile,
    masker: Masker,
    turn: Turn,
    messages: ProviderMessage[],
    sources: string[],
    emit: EmitFrame,
  ) {
    this.#context = context
    this.#session = session
    this.#profile = profile
    this.#masker = masker
    this.#turn = turn
    this.#messages = messages
    this.#sources = sources
    this.#emit = emit
  }

  async execute(): Promise<Turn> {
    for (let step = 0; step < maxSteps; step++) {
      const { completion, haltReason } = await this.#queryModel()
      if (haltReason) {
        const reason = haltReason.split(' ')[0] as 'kill-switch' | 'consent-withdrawn'
        return this.#endTurn('failed', safeTexts[reason], reason, haltReason)
      }
      if (completion.toolCalls.length === 0) return this.#answer(completion.content)
      // Text that comes with tool calls is not the answer.
      this.#answerStream?.withdraw()
      this.#messages.push({ role: 'assistant', ...completion })
      for (const requestedCall of completion.toolCalls) {
        const call = await this.#useTool(requestedCall)
        if (call.state === 'awaiting-approval') {
          return this.#endTurn('awaiting-approval', safeTexts.approval, 'approval-required')
        }
      }
    }
    return this.#endTurn('failed', safeTexts.steps, 'tool-limit')
  }

  #endTurn(status: MessageStatus, content: string, finishReason: string, haltReason = ''): Turn {
    this.#answerStream?.withdraw()
    return { ...this.#turn, status, content, finishReason, haltReason: haltReason || null }
  }

  /** Queries the model and streams each sentence that passes the guardrails. */
  async #queryModel() {
    const answerStream = new AnswerStream(this.#emit, this.#masker, this.#sources)
    this.#answerStream = answerStream
    const onText = (piece: string) => answerStream.push(piece)
    const offeredTools = this.#offeredTools()
    const response = await completeWithModel(
      this.#context,
      this.#session,
      this.#messages,
      offeredTools,
      onText,
    )
    const { completion, haltReason, latencyMs } = response
    if (haltReason) return response
    const provider = providerOf(this.#context.bank)
    this.#addUsage(completion, provider.costMicrosPerThousand)
    this.#addStep('model', {
      prompt: sha256(this.#messages[0]!.content),
      model: `${provider.name}/${provider.model}`,
      content: completion.content,
      wants: completion.toolCalls.map(({ name }) => name),
      latencyMs,
    })
    return response
  }

  #offeredTools(): OfferedTool[] {
    return this.#profile.tools.map((name) => ({ name, ...toolOf(name) }))
  }

  #addUsage({ inputTokens, outputTokens }: Completion, costMicrosPerThousand: number): void {
    const { usage } = this.#turn
    usage.inputTokens += inputTokens
    usage.outputTokens += outputTokens
    usage.costMicros += Math.ceil(((inputTokens + outputTokens) * costMicrosPerThousand) / 1000)
  }

  async #useTool({ id, name, args: maskedArgs }: WantedCall): Promise<ToolCall> {
    const args = this.#masker.unmaskIn(maskedArgs) as ToolCall['args']
    const pendingCall = this.#newCall(name, args)
    const denial = await denialOf(this.#context, this.#session, this.#profile.tools, name, args)
    if (denial) {
      const call = transitionToolCall(pendingCall, denial.isFault ? 'failed' : 'denied', {
        result: { error: denial.detail },
      })
      return this.#addResult(id, call, { error: denial.detail })
    }
    const tool = toolOf(name as ToolName)
    // After untrusted text in the same turn, even a `propose` tool requires approval.
    if (tool.toolClass === 'act' || (tool.toolClass === 'propose' && this.#isTainted)) {
      const call = holdForApproval(pendingCall, this.#context.now())
      this.#turn.calls.push(call)
      this.#emit('tool', { toolCall: summaryOf(call) })
      this.#addStep('tool-call', { ...this.#stepOf(call), args: maskedArgs })
      return call
    }
    const { result, isDone } = await this.#runTool(name as ToolName, pendingCall)
    const call = transitionToolCall(pendingCall, isDone ? 'executed' : 'failed', { result })
    if (isDone && tool.isUntrusted) this.#checkUntrusted(result)
    return this.#addResult(id, call, tool.isUntrusted ? { untrusted: true, data: result } : result)
  }

  #newCall(name: string, args: ToolCall['args']): ToolCall {
    const { caller } = this.#context
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
      requestedBy: caller.subject,
      requesterToken: {
        ...tokenIdsOf(caller),
        clientId: caller.clientId,
        scopes: [...caller.scopes],
      },
      editedBy: null,
      decidedBy: null,
      decidedAt: null,
      reason: null,
      result: null,
      version: 1,
    }
  }

  async #runTool(name: ToolName, { toolCallId, args }: ToolCall) {
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

  #checkUntrusted(result: unknown): void {
    this.#isTainted = true
    const verdict = guardrails.retrievalVerdict(JSON.stringify(result))
    if (!verdict) return
    this.#turn.verdicts.push(verdict)
    this.#emit('guardrail', { guardrail: verdict })
    this.#addStep('guardrail', verdict)
  }

  #addResult(id: string, call: ToolCall, modelResult: unknown): ToolCall {
    const content = JSON.stringify(this.#masker.maskIn(modelResult))
    this.#turn.calls.push(call)
    this.#emit('tool', { toolCall: summaryOf(call) })
    this.#sources.push(content)
    this.#messages.push({ role: 'tool', toolCallId: id, name: call.name, content })
    this.#addStep('tool-call', this.#stepOf(call))
    const hash = sha256(JSON.stringify(call.result))
    this.#addStep('tool-result', { toolCallId: call.toolCallId, state: call.state, hash })
    return call
  }

  #stepOf({ toolCallId, name, argumentsHash, state, isTainted }: ToolCall) {
    return { toolCallId, name, argumentsHash, state, isTainted }
  }

  #answer(content: string): Turn {
    const violation = guardrails.outputVerdict(content, this.#sources)
    if (violation) return blockTurn(this.#turn, violation, safeTexts.output, this.#emit)
    this.#answerStream?.end()
    return { ...this.#turn, content: this.#masker.unmask(content) }
  }

  #addStep(kind: Step['kind'], body: object): void {
    this.#turn.steps.push({ kind, body })
  }
}
