import type { AssistantStatus, ConsentNeed } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { AssistantProfile } from './assistant-type.ts'
import { isToolName, toolOf, type ToolName } from './tool.ts'

export const assistantTransitions: Transitions<AssistantStatus> = {
  draft: ['published', 'retired'],
  published: ['retired'],
  retired: [],
}

/** The content of an assistant version. */
export interface AssistantRequest {
  assistantType: string
  purpose: string
  isForCustomers: boolean
  tools: readonly string[]
  consent: ConsentNeed
  maxMessages: number
  maxTokens: number
  maxCostMicros: number
}

/**
 * A version of an assistant. Its content never changes. At most one version of each type is
 * published.
 */
export interface AssistantVersion extends Versioned, AssistantRequest {
  assistantVersionId: string
  /** The number of the version, starting at 1 for each type. */
  number: number
  status: AssistantStatus
  draftedBy: string
  publishedBy: string | null
  publishedAt: Date | null
  retiredAt: Date | null
}

/**
 * Checks the tools and limits of a version. Throws VALIDATION_FAILED for unknown or forbidden tools
 * and for limits below 1.
 */
export function requireFitting(request: AssistantRequest): void {
  const { tools, maxMessages, maxTokens, maxCostMicros } = request
  const errors = tools.flatMap((name, index) => {
    const isAllowed = isToolName(name) && toolOf(name).toolClass !== 'forbidden'
    const detail = `${name} is not a tool that assistants can use.`
    return isAllowed ? [] : [{ pointer: `/tools/${index}`, code: 'NOT_ALLOWED', detail }]
  })
  for (const [name, limit] of Object.entries({ maxMessages, maxTokens, maxCostMicros })) {
    const detail = `The value is ${limit}; it must be at least 1.`
    if (limit < 1) errors.push({ pointer: `/${name}`, code: 'MINIMUM', detail })
  }
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', { errors })
}

/**
 * Publishes a version. Throws INVALID_STATE_TRANSITION, and SEGREGATION_OF_DUTIES for its author.
 */
export function publishVersion(before: AssistantVersion, by: string, now: Date): AssistantVersion {
  const { assistantVersionId: resourceId } = before
  assertTransition(assistantTransitions, before.status, 'published', resourceId)
  if (by === before.draftedBy) {
    const detail = 'The author of a version cannot publish it.'
    throw new Problem('SEGREGATION_OF_DUTIES', { resourceId, detail })
  }
  return { ...before, status: 'published', publishedBy: by, publishedAt: now }
}

/** Retires a version. Throws INVALID_STATE_TRANSITION. */
export function retireVersion(before: AssistantVersion, now: Date): AssistantVersion {
  assertTransition(assistantTransitions, before.status, 'retired', before.assistantVersionId)
  return { ...before, status: 'retired', retiredAt: now }
}

/** Returns the profile of a version. */
export function profileFrom(version: AssistantVersion): AssistantProfile {
  const { purpose, isForCustomers, tools, consent } = version
  const { maxMessages: messages, maxTokens: tokens, maxCostMicros: costMicros } = version
  const limits = { messages, tokens, costMicros }
  return { purpose, isForCustomers, tools: tools as readonly ToolName[], consent, limits }
}
