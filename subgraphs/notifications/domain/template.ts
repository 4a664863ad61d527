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

/** Nothing is changed once it was approved: another text is another template of the same code. */
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
 * What a template without a body says: the notification's own words, as `personalization.message`
 * or else its subject, and failing both the sentence that tells nobody anything.
 */
export const defaultBody =
  '{{ message | default: subject | default: "You have a new message from your bank." }}'
export const defaultSubject = '{{ subject | default: "A message from your bank" }}'
const defaultVariables: readonly NewVariable[] = [
  { name: 'message', type: 'string', required: false, pii: true },
]

/** What a template says. An e-mail's body is HTML, every other one plain text. */
export interface Content {
  subject: string | null
  body: string
  variables: readonly Variable[]
}

/** The wording for one code, channel and language, with who answers for it. */
export interface Template extends Content {
  templateId: string
  templateCode: string
  channel: Channel
  language: string
  /** Counts the templates of one code, channel and language from 1. */
  edition: number
  status: TemplateStatus
  category: Category
  /** Who may approve it; anyone with the right to when empty. */
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

/** Whether a new template asks to start approved, which takes the right to approve. */
export function startsApproved(asked: NewTemplate): boolean {
  return ['approved', 'active'].includes(startOf(asked))
}

function startOf(asked: NewTemplate) {
  return initialState(asked.status, initialStatuses, 'draft')
}

/** What is filled in for members that were not sent. Refuses with SUBJECT_REQUIRED_FOR_EMAIL, BODY_TOO_LONG, VALIDATION_FAILED. */
export function completeContent(channel: Channel, asked: NewContent): Content {
  const body = asked.body ?? defaultBody
  const variables = declareVariables(asked.variables ?? (asked.body ? [] : defaultVariables))
  if (asked.body && channel === 'email' && !asked.subject) {
    throw fault('SUBJECT_REQUIRED_FOR_EMAIL', '/subject', 'An e-mail has a subject.')
  }
  const most = longestBody[channel]
  if (asked.body && body.length > most) {
    throw fault('BODY_TOO_LONG', '/body', `At most ${most} characters over ${channel}.`)
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

/** What a new template is made of beside what was asked. */
export interface TemplateMade {
  templateId: string
  edition: number
  content: Content
  contentHash: string
  requestHash: string
  author: string
  now: Date
}

/** The code, channel and language that a template is an edition for. Refuses with INVALID_LANGUAGE. */
export function slotOf(asked: NewTemplate, templateId: string) {
  const language = parseLanguage(asked.language ?? defaultLanguage)
  return { templateCode: asked.templateCode ?? templateId, channel: asked.channel, language }
}

/** A new template in the state that was asked for. Refuses with INVALID_INITIAL_STATUS, INVALID_LANGUAGE. */
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

/** Rewrites a draft; whoever does is its author from then on. Refuses with STATE_CONFLICT what is no draft. */
export function rewrite(
  template: Template,
  content: Content,
  contentHash: string,
  author: string,
): Template {
  if (template.status === 'draft')
    return { ...template, ...content, contentHash, authoredBy: author }
  throw new Problem('STATE_CONFLICT', {
    detail: `${template.templateId} is ${template.status}; only a draft is rewritten.`,
    resourceId: template.templateId,
    currentState: template.status,
    allowedStates: ['draft'],
  })
}

/** Puts a draft up for review. Refuses with INVALID_STATE_TRANSITION. */
export function submit(template: Template, now: Date): Template {
  return { ...move(template, 'in-review'), submittedAt: now }
}

/** Approves what is in review. Refuses with INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES. */
export function approve(template: Template, reviewer: string, now: Date): Template {
  const approved = move(template, 'approved')
  requireReviewer(template, reviewer)
  return { ...approved, approvedBy: reviewer, approvedAt: now }
}

/** Sends what is in review back. Refuses with INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES. */
export function reject(template: Template, reviewer: string, reason: string): Template {
  const rejected = move(template, 'rejected')
  requireReviewer(template, reviewer)
  return { ...rejected, rejectionReason: reason }
}

/** Takes up a rejected text again. Refuses with INVALID_STATE_TRANSITION. */
export function reopen(template: Template): Template {
  return { ...move(template, 'draft'), submittedAt: null }
}

/** Puts an approved text in force. Refuses with INVALID_STATE_TRANSITION. */
export function activate(template: Template): Template {
  return move(template, 'active')
}

/** Takes a text out of force. Refuses with INVALID_STATE_TRANSITION. */
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
  if (reviewer === authoredBy) throw refuse('Nobody reviews their own text.')
  if (approvers.length > 0 && !approvers.includes(reviewer)) {
    throw refuse('The template names others to review it.')
  }
}
