import { loader, type Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { Channel } from '../model/channel.ts'
import type { TemplateTrace } from '../domain/notification.ts'
import type { Template } from '../model/template.ts'

export const templates = tableOf<Template>(
  'notifications.template',
  'templateId',
  (context) => context.db.notificationTemplate,
)

export interface Slot {
  templateCode: string
  channel: Channel
  language: string
}

/** Returns the highest edition number for a code, channel and language; 0 if there is none. */
export async function lastEdition(context: Context, slot: Slot): Promise<number> {
  const { templateCode, channel, language } = slot
  const { _max } = await context.db.notificationTemplate.aggregate({
    where: { templateCode, channel, language },
    _max: { edition: true },
  })
  return _max.edition ?? 0
}

/** Finds the active template for a code, channel and language; null if there is none. */
export async function findActive(context: Context, slot: Slot): Promise<Template | null> {
  const { templateCode, channel, language } = slot
  const where = { templateCode, channel, language, status: 'active' }
  return (await templates.findMany(context, { where }))[0] ?? null
}

/**
 * Reads up to 200 templates with the code, in all channels and statuses, to explain why none is
 * suitable.
 */
export async function traceTemplates(
  context: Context,
  templateCode: string,
): Promise<TemplateTrace[]> {
  const rows = await context.db.notificationTemplate.findMany({
    where: { templateCode },
    select: { channel: true, status: true, language: true },
    orderBy: [{ createdAt: 'desc' }],
    take: 200,
  })
  return rows.map((row) => ({ ...row, channel: row.channel as Channel }))
}

/** Loads templates by ID. All are null for delegated users, who may not see templates. */
export const loadTemplate = loader<string, Template>(async (context, templateIds) =>
  context.caller.partyId ? templateIds.map(() => null) : templates.loadMany(context, templateIds),
)
