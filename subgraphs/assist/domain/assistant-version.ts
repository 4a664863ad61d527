import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { AssistantProfile } from './assistant-type.ts'
import type { ConsentNeed } from './consent.ts'
import { isToolName, toolOf, type ToolName } from './tool.ts'

export const assistantStatuses = ['draft', 'published', 'retired'] as const
export type AssistantStatus = (typeof assistantStatuses)[number]

export const assistantMoves: Transitions<AssistantStatus> = {
  draft: ['published', 'retired'],
  published: ['retired'],
  retired: [],
}

/** What somebody wants an assistant of a type to be. */
export interface AssistantAsked {
  assistantType: string
  purpose: string
  isForCustomers: boolean
  tools: readonly string[]
  consent: ConsentNeed
  maxMessages: number
  maxTokens: number
  maxCostMicros: number
}

/** One version of an assistant. What it says stays as it is; one at a time is published. */
export interface AssistantVersion extends Versioned, AssistantAsked {
  assistantVersionId: string
  /** Counted from 1 within the type. */
  number: number
  status: AssistantStatus
  draftedBy: string
  publishedBy: string | null
  publishedAt: Date | null
  retiredAt: Date | null
}

/** Refuses with VALIDATION_FAILED tools that are not there or that no assistant may have, and limits below 1. */
export function requireFitting(asked: AssistantAsked): void {
  const { tools, maxMessages, maxTokens, maxCostMicros } = asked
  const errors = tools.flatMap((name, at) => {
    const isFitting = isToolName(name) && toolOf(name).toolClass !== 'forbidden'
    const detail = `${name} is no tool for assistants.`
    return isFitting ? [] : [{ pointer: `/tools/${at}`, code: 'NOT_ALLOWED', detail }]
  })
  for (const [name, most] of Object.entries({ maxMessages, maxTokens, maxCostMicros })) {
    const detail = 'At least 1.'
    if (most < 1) errors.push({ pointer: `/${name}`, code: 'MINIMUM', detail })
  }
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', { errors })
}

/** Published. Refuses with INVALID_STATE_TRANSITION, and SEGREGATION_OF_DUTIES for who drafted it. */
export function publishVersion(before: AssistantVersion, by: string, now: Date): AssistantVersion {
  const { assistantVersionId: resourceId } = before
  requireMove(assistantMoves, before.status, 'published', resourceId)
  if (by === before.draftedBy) {
    const detail = 'Who drafted it does not publish it.'
    throw new Problem('SEGREGATION_OF_DUTIES', { resourceId, detail })
  }
  return { ...before, status: 'published', publishedBy: by, publishedAt: now }
}

/** Retired: no session opens with it. Refuses with INVALID_STATE_TRANSITION. */
export function retireVersion(before: AssistantVersion, now: Date): AssistantVersion {
  requireMove(assistantMoves, before.status, 'retired', before.assistantVersionId)
  return { ...before, status: 'retired', retiredAt: now }
}

/** What a session of this version goes by. */
export function profileFrom(version: AssistantVersion): AssistantProfile {
  const { purpose, isForCustomers, tools, consent } = version
  const { maxMessages: messages, maxTokens: tokens, maxCostMicros: costMicros } = version
  const limits = { messages, tokens, costMicros }
  return { purpose, isForCustomers, tools: tools as readonly ToolName[], consent, limits }
}
