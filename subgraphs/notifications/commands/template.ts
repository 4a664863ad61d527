import { fingerprint } from '../../../kernel/writing/answer.ts'
import { bankCaller, requireScope, requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { changeState } from '../../../kernel/domain/state-machine.ts'
import * as domain from '../domain/template.ts'
import type { NewContent, NewTemplate } from '../domain/template.ts'
import { templateStates, type Template } from '../model/template.ts'
import { templateEvents, type TemplateEvent } from '../events.ts'
import { findActive, lastEdition, templates } from '../store/template.ts'
import { requireWording } from './wording.ts'

/** Returns the validated content of a template with its defaults, and the hash of the content. */
function contentOf(channel: Template['channel'], request: NewContent) {
  const content = domain.completeContent(channel, request)
  requireWording(content)
  return { content, contentHash: fingerprint(`template ${channel}`, content) }
}

/**
 * Creates a template in the requested status. Repeating the request with the same ID and content
 * returns the existing template.
 * Throws TEMPLATE_ALREADY_EXISTS, INSUFFICIENT_SCOPE if the template starts as approved and the
 * caller lacks `templates:approve`, SECOND_PERSON_REQUIRED if a template with custom content starts
 * as approved, and the problems of the content.
 */
export function createTemplate(
  context: Context,
  input: NewTemplate & { templateId?: string | null },
): Promise<Template> {
  requireBank(context)
  const requestHash = fingerprint('createNotificationTemplate', input)
  return command(context, 'createNotificationTemplate', input, async () => {
    if (domain.startsApproved(input)) requireScope(context.caller, 'templates:approve')
    const ownContent = contentOf(input.channel, input)
    const existing = input.templateId ? await templates.find(context, input.templateId) : null
    if (existing) return replayedCreation(existing, requestHash)
    // The fixtures of the sandbox are part of the program and are reviewed with its code.
    if (context.caller !== bankCaller) domain.requireReviewOfCustomContent(input)
    const templateId = input.templateId ?? context.newId('template')
    const slot = domain.slotOf(input, templateId)
    const template = domain.newTemplate(input, {
      ...ownContent,
      templateId,
      requestHash,
      edition: (await lastEdition(context, slot)) + 1,
      author: context.caller.subject,
      now: context.now(),
    })
    const events = [templateEvents.event('notifications.template.created', template)]
    if (template.status !== 'active') {
      return {
        result: template,
        resourceId: templateId,
        writes: [templates.insert(template)],
        events,
      }
    }
    const retirement = await retireActive(context, template)
    events.push(
      templateEvents.event('notifications.template.activated', template),
      ...retirement.events,
    )
    const writes = [...retirement.writes, templates.insert(template)]
    return { result: template, resourceId: templateId, writes, events }
  })
}

function replayedCreation(existing: Template, requestHash: string) {
  const { templateId } = existing
  if (existing.requestHash === requestHash) return { result: existing, resourceId: templateId }
  throw new Problem('TEMPLATE_ALREADY_EXISTS', { resourceId: templateId })
}

/** Retires the active template in the commit that activates the next one. */
async function retireActive(context: Context, next: Template) {
  const active = await findActive(context, next)
  if (!active) return { writes: [] as Write[], events: [] }
  const retired = nextVersion(
    active,
    changeState(templateStates, 'retireNotificationTemplate', active),
    context.now(),
  )
  return {
    writes: [templates.update(active, retired)],
    events: [templateEvents.event('notifications.template.retired', retired)],
  }
}

const nextVersion = (before: Template, after: Template, now: Date): Template => ({
  ...after,
  version: before.version + 1,
  updatedAt: now,
})

/** Checks that the caller did not write the template. Throws SEGREGATION_OF_DUTIES. */
export function requireOtherAuthor(context: Context, template: Template): Promise<void> {
  const { templateId: resourceId, authoredBy } = template
  const detail =
    'The author of a template, or the owner of the client that wrote it, cannot review it.'
  return requireAnotherPerson(context, [authoredBy], { resourceId, detail })
}

/**
 * Changes a template and emits the event. A template that becomes active replaces the active one,
 * which is retired.
 * Throws TEMPLATE_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and whatever `decide` throws.
 */
export function changeTemplate(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  templateId: string,
  event: TemplateEvent,
  decide: (before: Template, now: Date) => Template | Promise<Template>,
): Promise<Template> {
  requireBank(context)
  return command(context, operation, input, async () => {
    const before = await templates.find(context, templateId)
    if (!before) throw new Problem('TEMPLATE_NOT_FOUND', { resourceId: templateId })
    const now = context.now()
    const after = nextVersion(before, await decide(before, now), now)
    const retirement =
      after.status === 'active' ? await retireActive(context, after) : { writes: [], events: [] }
    return {
      result: after,
      resourceId: templateId,
      writes: [...retirement.writes, templates.update(before, after)],
      events: [templateEvents.event(event, after), ...retirement.events],
    }
  })
}

/**
 * Replaces the content of a draft. Throws the problems of the content, and STATE_CONFLICT if the
 * template is not a draft.
 */
export function rewriteTemplate(
  context: Context,
  input: NewContent & { templateId: string },
): Promise<Template> {
  const event = 'notifications.template.updated'
  return changeTemplate(
    context,
    'updateNotificationTemplate',
    { ...input },
    input.templateId,
    event,
    (before) => {
      const { content, contentHash } = contentOf(before.channel, input)
      return domain.rewrite(before, content, contentHash, context.caller.subject)
    },
  )
}
