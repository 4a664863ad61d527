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

/** What a channel's template says, complete and sure to render, with its hash. */
function contentOf(channel: Template['channel'], asked: NewContent) {
  const content = domain.completeContent(channel, asked)
  requireWording(content)
  return { content, contentHash: fingerprint(`template ${channel}`, content) }
}

/**
 * Writes a template in the state that was asked for. The same id with the same content answers the
 * template that is there.
 * Refuses with TEMPLATE_ALREADY_EXISTS, INSUFFICIENT_SCOPE where it should start approved, and with
 * whatever its content is refused for.
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

/** Retires the template that was in force, in the commit that puts another one there. */
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

/** The four-eyes rule of templates. Rejects with SEGREGATION_OF_DUTIES. */
export function requireOthersText(context: Context, template: Template): Promise<void> {
  const { templateId: resourceId, authoredBy } = template
  const detail = 'The author of a text, or the owner of the client that wrote it, cannot review it.'
  return requireAnotherPerson(context, [authoredBy], { resourceId, detail })
}

/**
 * Moves a template, or rewrites it, and tells it. What becomes active retires what was.
 * Refuses with TEMPLATE_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and whatever `decide` refuses with.
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

/** Gives a draft another content. Refuses as `createTemplate` does for content, and STATE_CONFLICT what is no draft. */
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
