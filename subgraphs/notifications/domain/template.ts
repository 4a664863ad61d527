import type { NewVariable } from '../model/template-inputs.ts'
import type { Template, TemplateVariable } from '../model/template.ts'
import { Problem } from './problems.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import { characterCount, hasAtMost } from '../../../kernel/domain/text-length.ts'
import { hasSubject, maxBodyLength } from './channel.ts'
import type { Channel, Category } from '../model/channel.ts'
import { defaultLanguage, parseLanguage } from './language.ts'
import { declareVariables } from './personalization.ts'

const initialStatuses = ['draft', 'in-review', 'approved', 'active'] as const

/**
 * The body of a template that is created without one. It renders the notification's
 * `personalization.message`, or else its subject, or else a neutral sentence.
 */
export const defaultBody =
  '{{ message | default: subject | default: "You have a new message from your bank." }}'
export const defaultSubject = '{{ subject | default: "A message from your bank" }}'
const defaultVariables: readonly NewVariable[] = [
  { name: 'message', type: 'string', required: false, pii: true },
]

/** The content of a template. The body is HTML for email and plain text for other channels. */
export interface Content {
  subject: string | null
  body: string
  variables: readonly TemplateVariable[]
}

export interface NewContent {
  subject?: string | null
  body?: string | null
  variables?: readonly NewVariable[] | null
}

export interface NewTemplate extends NewContent {
  channel: Channel
  status?: string | null
  templateCode?: string | null
  language?: string | null
  category?: Category | null
  approval?: { approvers?: readonly string[] | null } | null
}

/**
 * Returns whether a new template starts as approved or active, which requires the scope
 * `templates:approve`.
 */
export function startsApproved(request: NewTemplate): boolean {
  return ['approved', 'active'].includes(initialStatusOf(request))
}

/**
 * Checks the four-eyes rule for new templates. One person may create an approved template with the
 * default content, because it only passes on the text of each notification. Custom content needs a
 * review.
 * Throws SECOND_PERSON_REQUIRED.
 */
export function requireReviewOfCustomContent(request: NewTemplate): void {
  const customMembers = (['subject', 'body', 'variables'] as const).filter(
    (name) => request[name] != null,
  )
  if (customMembers.length === 0 || !startsApproved(request)) return
  const code = 'SECOND_PERSON_REQUIRED'
  const detail =
    `A template with its own ${customMembers.join(' and ')} cannot start as ${initialStatusOf(request)}. ` +
    'Create it as in-review, and let another person approve it.'
  throw new Problem(code, { detail, errors: [{ pointer: '/status', code, detail }] })
}

function initialStatusOf(request: NewTemplate) {
  return initialState(request.status, initialStatuses, 'draft')
}

/**
 * Returns the content of a template with its defaults applied. Throws SUBJECT_REQUIRED_FOR_EMAIL,
 * BODY_TOO_LONG, VALIDATION_FAILED.
 */
export function completeContent(channel: Channel, request: NewContent): Content {
  const body = request.body ?? defaultBody
  const variables = declareVariables(request.variables ?? (request.body ? [] : defaultVariables))
  if (request.body && channel === 'email' && !request.subject) {
    throw contentProblem(
      'SUBJECT_REQUIRED_FOR_EMAIL',
      '/subject',
      'An email template with a body needs a subject.',
    )
  }
  const max = maxBodyLength[channel]
  if (request.body && !hasAtMost(max, body)) {
    const detail = `The body has ${characterCount(body)} characters; the maximum for ${channel} is ${max}.`
    throw contentProblem('BODY_TOO_LONG', '/body', detail)
  }
  const subject = request.subject ?? (hasSubject(channel) ? defaultSubject : null)
  return { subject, body, variables }
}

function contentProblem(
  code: 'SUBJECT_REQUIRED_FOR_EMAIL' | 'BODY_TOO_LONG',
  pointer: string,
  detail: string,
) {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** The properties of a new template that do not come from the request. */
export interface TemplateContext {
  templateId: string
  edition: number
  content: Content
  contentHash: string
  requestHash: string
  author: string
  now: Date
}

/** Returns the code, channel and language of a new template. Throws INVALID_LANGUAGE. */
export function slotOf(request: NewTemplate, templateId: string) {
  const language = parseLanguage(request.language ?? defaultLanguage)
  return { templateCode: request.templateCode ?? templateId, channel: request.channel, language }
}

/** Creates a template in the requested status. Throws INVALID_INITIAL_STATUS, INVALID_LANGUAGE. */
export function newTemplate(request: NewTemplate, stamp: TemplateContext): Template {
  const { content, author, now, ...identity } = stamp
  const status = initialStatusOf(request)
  const isApproved = startsApproved(request)
  return {
    ...identity,
    ...slotOf(request, stamp.templateId),
    ...content,
    status,
    category: request.category ?? 'service',
    approvers: request.approval?.approvers ?? [],
    authoredBy: author,
    submittedAt: status === 'draft' ? null : now,
    approvedBy: isApproved ? author : null,
    approvedAt: isApproved ? now : null,
    rejectionReason: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Replaces the content of a draft and makes the caller its author. Throws STATE_CONFLICT if the
 * template is not a draft.
 */
export function rewrite(
  template: Template,
  content: Content,
  contentHash: string,
  author: string,
): Template {
  if (template.status === 'draft')
    return { ...template, ...content, contentHash, authoredBy: author }
  throw new Problem('STATE_CONFLICT', {
    detail: `${template.templateId} is ${template.status}; only a draft can be changed.`,
    resourceId: template.templateId,
    currentState: template.status,
    allowedStates: ['draft'],
  })
}

/**
 * Checks that the caller may review the template: is not its author, and is one of its approvers if
 * it names any. Throws SEGREGATION_OF_DUTIES.
 */
export function requireReviewer(
  { templateId, authoredBy, approvers }: Template,
  reviewer: string,
): void {
  const segregationProblem = (detail: string) =>
    new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId: templateId })
  if (reviewer === authoredBy)
    throw segregationProblem('The author of a template cannot review it.')
  if (approvers.length > 0 && !approvers.includes(reviewer)) {
    throw segregationProblem(`Only ${approvers.join(', ')} may review this template.`)
  }
}
