import type { TemplateVariable } from '../model/template.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { hasSubject, unsendable } from '../domain/channel.ts'
import type { Notification } from '../model/notification.ts'
import { validatePersonalization } from '../domain/personalization.ts'
import { templates } from '../store/template.ts'
import { compileWording, oneLine, renderWording, type Wording } from '../commands/wording.ts'

interface CompiledTemplate {
  variables: readonly TemplateVariable[]
  wording: Wording
}

const maxCached = 1000
/**
 * Compiled templates per environment. An entry never becomes stale, because the content of a
 * template cannot change once it has been active.
 */
const caches = new WeakMap<Bank, Map<string, CompiledTemplate>>()

/**
 * Returns the compiled templates of a batch by template ID. Templates that are not cached are read
 * in one query.
 */
export async function compiledFor(
  context: Context,
  batch: readonly Notification[],
): Promise<ReadonlyMap<string, CompiledTemplate>> {
  const cache = caches.get(context.bank) ?? new Map<string, CompiledTemplate>()
  caches.set(context.bank, cache)
  const templateIds = new Set(batch.map(({ templateId }) => templateId))
  const uncached = [...templateIds].filter((templateId) => !cache.has(templateId))
  if (uncached.length === 0) return cache
  if (cache.size + uncached.length > maxCached) cache.clear()
  const missing = [...templateIds].filter((templateId) => !cache.has(templateId))
  for (const template of await templates.findMany(context, {
    where: { templateId: { in: missing } },
  })) {
    const wording = compileWording(template.channel, template)
    cache.set(template.templateId, { variables: template.variables, wording })
  }
  return cache
}

type MessageValues = Pick<Notification, 'channel' | 'personalization' | 'subject'>

interface RenderedMessage {
  subject: string | null
  body: string
}

export type RenderResult = RenderedMessage | { failure: string }

/**
 * Renders a message. Returns `failure` if the rendered body cannot be sent. Throws the problems of
 * the personalization, and a Liquid error if a limit is exceeded.
 */
export function renderMessage(
  { channel, personalization, subject: requestedSubject }: MessageValues,
  { variables, wording }: CompiledTemplate,
  partyName: string,
): RenderedMessage | { failure: NonNullable<ReturnType<typeof unsendable>> } {
  const values = {
    partyName,
    ...(requestedSubject !== null && { subject: requestedSubject }),
    ...validatePersonalization(variables, personalization),
  }
  const { subject, body } = renderWording(wording, values)
  const failure = unsendable(channel, body)
  if (failure) return { failure }
  return {
    subject: hasSubject(channel)
      ? requestedSubject === null
        ? subject
        : oneLine(requestedSubject)
      : null,
    body,
  }
}

/** Renders a notification. Returns `failure`, the reason, if it cannot be rendered. */
export function renderNotification(
  notification: Notification,
  template: CompiledTemplate,
  partyName: string,
): RenderResult {
  try {
    return renderMessage(notification, template, partyName)
  } catch {
    return { failure: 'rendering-failed' }
  }
}
