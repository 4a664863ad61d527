import { fingerprint } from '../_kernel/answer.ts'
import { requireScope, requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { requireAnotherPerson } from '../_kernel/principals.ts'
import type { Write } from '../_kernel/writes.ts'
import * as domain from './domain/template.ts'
import type { NewContent, NewTemplate, Template } from './domain/template.ts'
import { tellTemplate, type TemplateEvent } from './events.ts'
import {
  findActive,
  findTemplate,
  insertTemplate,
  lastEdition,
  updateTemplate,
} from './store/template.ts'
import { requireWording } from './wording.ts'

/** The validated content of a template with its defaults, and its hash. */
function contentOf(channel: Template['channel'], asked: NewContent) {
  const content = domain.completeContent(channel, asked)
  requireWording(content)
  return { content, contentHash: fingerprint(`template ${channel}`, content) }
}

/**
 * Creates a template in the requested status. Repeating the request with the same id and content
 * returns the existing template.
 * Throws TEMPLATE_ALREADY_EXISTS, INSUFFICIENT_SCOPE if it starts approved without the permission
 * to approve, and the problems of its content.
 */
export function createTemplate(
  context: Context,
  input: NewTemplate & { templateId?: string | null },
): Promise<Template> {
  requireBank(context)
  const requestHash = fingerprint('createNotificationTemplate', input)
  return command(context, 'createNotificationTemplate', input, async () => {
    if (domain.startsApproved(input)) requireScope(context.caller, 'templates:approve')
    const made = contentOf(input.channel, input)
    const existing = input.templateId ? await findTemplate(context, input.templateId) : null
    if (existing) return sameAsBefore(existing, requestHash)
    const templateId = input.templateId ?? context.newId('template')
    const slot = domain.slotOf(input, templateId)
    const template = domain.newTemplate(input, {
      ...made,
      templateId,
      requestHash,
      edition: (await lastEdition(context, slot)) + 1,
      author: context.caller.subject,
      now: context.now(),
    })
    const events = [tellTemplate('notifications.template.created', template)]
    if (template.status !== 'active') {
      return {
        result: template,
        resourceId: templateId,
        writes: [insertTemplate(template)],
        events,
      }
    }
    const former = await retireFormer(context, template)
    events.push(tellTemplate('notifications.template.activated', template), ...former.events)
    const writes = [...former.writes, insertTemplate(template)]
    return { result: template, resourceId: templateId, writes, events }
  })
}

function sameAsBefore(existing: Template, requestHash: string) {
  const { templateId } = existing
  if (existing.requestHash === requestHash) return { result: existing, resourceId: templateId }
  throw new Problem('TEMPLATE_ALREADY_EXISTS', { resourceId: templateId })
}

/** Retires the active template in the commit that activates its successor. */
async function retireFormer(context: Context, next: Template) {
  const former = await findActive(context, next)
  if (!former) return { writes: [] as Write[], events: [] }
  const retired = changed(former, domain.retire(former), context.now())
  return {
    writes: [updateTemplate(retired, former.version)],
    events: [tellTemplate('notifications.template.retired', retired)],
  }
}

const changed = (before: Template, after: Template, now: Date): Template => ({
  ...after,
  version: before.version + 1,
  updatedAt: now,
})

/** The four-eyes rule for templates. Throws SEGREGATION_OF_DUTIES. */
export function requireOthersText(context: Context, template: Template): Promise<void> {
  const { templateId: resourceId, authoredBy } = template
  const detail =
    'The author of a template, or the owner of the client that wrote it, cannot review it.'
  return requireAnotherPerson(context, [authoredBy], { resourceId, detail })
}

/**
 * Changes a template and emits the event. Activating a template retires the active one.
 * Throws TEMPLATE_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and what `decide` throws.
 */
export function changeTemplate(
  context: Context,
  operation: string,
  input: { templateId: string },
  event: TemplateEvent,
  decide: (before: Template, now: Date, caller: string) => Template | Promise<Template>,
): Promise<Template> {
  requireBank(context)
  const { templateId } = input
  return command(context, operation, input, async () => {
    const before = await findTemplate(context, templateId)
    if (!before) throw new Problem('TEMPLATE_NOT_FOUND', { resourceId: templateId })
    const now = context.now()
    const after = changed(before, await decide(before, now, context.caller.subject), now)
    const former =
      after.status === 'active' ? await retireFormer(context, after) : { writes: [], events: [] }
    return {
      result: after,
      resourceId: templateId,
      writes: [...former.writes, updateTemplate(after, before.version)],
      events: [tellTemplate(event, after), ...former.events],
    }
  })
}

/**
 * Replaces the content of a draft. Throws the problems of the content, and STATE_CONFLICT if it is
 * not a draft.
 */
export function rewriteTemplate(
  context: Context,
  input: NewContent & { templateId: string },
): Promise<Template> {
  const event = 'notifications.template.updated'
  return changeTemplate(
    context,
    'updateNotificationTemplate',
    input,
    event,
    (before, _now, author) => {
      const { content, contentHash } = contentOf(before.channel, input)
      return domain.rewrite(before, content, contentHash, author)
    },
  )
}
