import type { AssistantVersion, DraftAssistantVersionInput } from '../model/assistant.ts'
import { Problem } from './problems.ts'
import type { AssistantProfile } from './assistant-type.ts'
import { isToolName, toolOf, type ToolName } from './tool.ts'

/**
 * Checks the tools and limits of a version. Throws VALIDATION_FAILED for unknown or forbidden tools
 * and for limits below 1.
 */
export function requireValidToolsAndLimits(request: DraftAssistantVersionInput): void {
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

/** Throws SEGREGATION_OF_DUTIES if `subject` drafted the version. */
export function requireOtherAuthor(version: AssistantVersion, subject: string): void {
  if (subject !== version.draftedBy) return
  const detail = 'The author of a version cannot publish it.'
  throw new Problem('SEGREGATION_OF_DUTIES', { resourceId: version.assistantVersionId, detail })
}

/** Returns the profile of a version. */
export function profileFrom(version: AssistantVersion): AssistantProfile {
  const { purpose, isForCustomers, tools, consent } = version
  const { maxMessages: messages, maxTokens: tokens, maxCostMicros: costMicros } = version
  const limits = { messages, tokens, costMicros }
  return { purpose, isForCustomers, tools: tools as readonly ToolName[], consent, limits }
}
