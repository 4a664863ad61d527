import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { hasSubject, longestBody, type Channel } from './channel.ts'
import { defaultLanguage, parseLanguage } from './language.ts'
import { declareVariables, type NewVariable, type Variable } from './personalization.ts'
import type { Category } from './suppression.ts'

export const templateStatuses = [
  'draft',
  'in-review',
  'approved',
  'rejected',
  'active',
  'retired',
] as const
export type TemplateStatus = (typeof templateStatuses)[number]

/** An approved template cannot be changed; a new wording is a new template of the same code. */
export const templateMoves: Transitions<TemplateStatus> = {
  draft: ['in-review'],
  'in-review': ['approved', 'rejected'],
  approved: ['active'],
  rejected: ['draft'],
  active: ['retired'],
  retired: [],
}

const initialStatuses = ['draft', 'in-review', 'approved', 'active'] as const

/**
 * The body of a template without one: the notification's `personalization.message`, or else its
 * subject, or else a neutral sentence.
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
  variables: readonly Variable[]
}

/** The wording of a notification for one code, channel and language, with its review. */
export interface Template extends Content {
  templateId: string
  templateCode: string
  channel: Channel
  language: string
  /** The number among templates of the same code, channel and language, starting at 1. */
  edition: number
  status: TemplateStatus
  category: Category
  /** Who may review it; empty if anyone with the permission may. */
  approvers: readonly string[]
  authoredBy: string
  submittedAt: Date | null
  approvedBy: string | null
  approvedAt: Date | null
  rejectionReason: string | null
  contentHash: string
  requestHash: string
  version: number
  createdAt: Date
  updatedAt: Date
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

/** Whether a new template starts approved, which requires the permission to approve. */
export function startsApproved(asked: NewTemplate): boolean {
  return ['approved', 'active'].includes(startOf(asked))
}

function startOf(asked: NewTemplate) {
  return initialState(asked.status, initialStatuses, 'draft')
}

/**
 * Applies the defaults of a template's content. Throws SUBJECT_REQUIRED_FOR_EMAIL, BODY_TOO_LONG,
 * VALIDATION_FAILED.
 */
export function completeContent(channel: Channel, asked: NewContent): Content {
  const body = asked.body ?? defaultBody
  const variables = declareVariables(asked.variables ?? (asked.body ? [] : defaultVariables))
  if (asked.body && channel === 'email' && !asked.subject) {
    throw fault(
      'SUBJECT_REQUIRED_FOR_EMAIL',
      '/subject',
      'An email template with a body needs a subject.',
    )
  }
  const most = longestBody[channel]
  if (asked.body && body.length > most) {
    const detail = `The body has ${body.length} characters; the maximum for ${channel} is ${most}.`
    throw fault('BODY_TOO_LONG', '/body', detail)
  }
  const subject = asked.subject ?? (hasSubject(channel) ? defaultSubject : null)
  return { subject, body, variables }
}

function fault(
  code: 'SUBJECT_REQUIRED_FOR_EMAIL' | 'BODY_TOO_LONG',
  pointer: string,
  detail: string,
) {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** The properties of a new template that do not come from the request. */
export interface TemplateMade {
  templateId: string
  edition: number
  content: Content
  contentHash: string
  requestHash: string
  author: string
  now: Date
}

/** The code, channel and language of a template. Throws INVALID_LANGUAGE. */
export function slotOf(asked: NewTemplate, templateId: string) {
  const language = parseLanguage(asked.language ?? defaultLanguage)
  return { templateCode: asked.templateCode ?? templateId, channel: asked.channel, language }
}

/** Creates a template in the requested status. Throws INVALID_INITIAL_STATUS, INVALID_LANGUAGE. */
export function newTemplate(asked: NewTemplate, made: TemplateMade): Template {
  const { content, author, now, ...identity } = made
  const status = startOf(asked)
  const isApproved = startsApproved(asked)
  return {
    ...identity,
    ...slotOf(asked, made.templateId),
    ...content,
    status,
    category: asked.category ?? 'service',
    approvers: asked.approval?.approvers ?? [],
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
 * Replaces the content of a draft; the caller becomes its author. Throws STATE_CONFLICT if it is
 * not a draft.
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

/** Submits a draft for review. Throws INVALID_STATE_TRANSITION. */
export function submit(template: Template, now: Date): Template {
  return { ...move(template, 'in-review'), submittedAt: now }
}

/** Approves a template in review. Throws INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES. */
export function approve(template: Template, reviewer: string, now: Date): Template {
  const approved = move(template, 'approved')
  requireReviewer(template, reviewer)
  return { ...approved, approvedBy: reviewer, approvedAt: now }
}

/** Rejects a template in review. Throws INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES. */
export function reject(template: Template, reviewer: string, reason: string): Template {
  const rejected = move(template, 'rejected')
  requireReviewer(template, reviewer)
  return { ...rejected, rejectionReason: reason }
}

/** Reopens a rejected template as a draft. Throws INVALID_STATE_TRANSITION. */
export function reopen(template: Template): Template {
  return { ...move(template, 'draft'), submittedAt: null }
}

/** Activates an approved template. Throws INVALID_STATE_TRANSITION. */
export function activate(template: Template): Template {
  return move(template, 'active')
}

/** Retires an active template. Throws INVALID_STATE_TRANSITION. */
export function retire(template: Template): Template {
  return move(template, 'retired')
}

function move(template: Template, to: TemplateStatus): Template {
  requireMove(templateMoves, template.status, to, template.templateId)
  return { ...template, status: to }
}

function requireReviewer({ templateId, authoredBy, approvers }: Template, reviewer: string): void {
  const refuse = (detail: string) =>
    new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId: templateId })
  if (reviewer === authoredBy) throw refuse('The author of a template cannot review it.')
  if (approvers.length > 0 && !approvers.includes(reviewer)) {
    throw refuse(`Only ${approvers.join(', ')} may review this template.`)
  }
}
