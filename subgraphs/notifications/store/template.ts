import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, update, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { Channel } from '../domain/channel.ts'
import type { TemplateTrace } from '../domain/notification.ts'
import type { Variable } from '../domain/personalization.ts'
import type { Template } from '../domain/template.ts'

const table = 'notifications.template'

type TemplateRow = Prisma.NotificationTemplateGetPayload<object>

function fromRow(row: TemplateRow): Template {
  return {
    ...row,
    channel: row.channel as Channel,
    status: row.status as Template['status'],
    category: row.category as Template['category'],
    variables: row.variables as unknown as Variable[],
  }
}

function toRow(template: Template): Row {
  return {
    template_id: template.templateId,
    template_code: template.templateCode,
    channel: template.channel,
    language: template.language,
    edition: template.edition,
    category: template.category,
    approvers: template.approvers,
    request_hash: template.requestHash,
    version: template.version,
    created_at: template.createdAt,
    ...changingColumns(template),
  }
}

function changingColumns(template: Template): Row {
  return {
    status: template.status,
    subject: template.subject,
    body: template.body,
    variables: template.variables,
    authored_by: template.authoredBy,
    submitted_at: template.submittedAt,
    approved_by: template.approvedBy,
    approved_at: template.approvedAt,
    rejection_reason: template.rejectionReason,
    content_hash: template.contentHash,
    updated_at: template.updatedAt,
  }
}

export function insertTemplate(template: Template): Write {
  return insert(table, toRow(template))
}

/** Updates a template if its version is still the expected one. */
export function updateTemplate(template: Template, expectedVersion: number): Write {
  return update(
    table,
    { template_id: template.templateId },
    expectedVersion,
    changingColumns(template),
  )
}

/** Reads the current state of a template; null if it does not exist. */
export async function findTemplate(context: Context, templateId: string): Promise<Template | null> {
  const row = await context.db.notificationTemplate.findUnique({ where: { templateId } })
  return row && fromRow(row)
}

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
  const row = await context.db.notificationTemplate.findFirst({
    where: { templateCode, channel, language, status: 'active' },
  })
  return row && fromRow(row)
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
export const loadTemplate = loader<string, Template>(async (context, templateIds) => {
  if (context.caller.partyId) return templateIds.map(() => null)
  const templates = await findTemplates(context, templateIds)
  return inOrder(templateIds, templates, ({ templateId }) => templateId)
})

export async function findTemplates(
  context: Context,
  templateIds: readonly string[],
): Promise<Template[]> {
  const rows = await context.db.notificationTemplate.findMany({
    where: { templateId: { in: [...templateIds] } },
  })
  return rows.map(fromRow)
}

export interface TemplateFilters {
  templateCode: string | null
  status: string | null
}

/** Lists templates in the order in which they were created. */
export async function listTemplates(
  context: Context,
  { templateCode, status }: TemplateFilters,
  after: string[] | null,
  take: number,
): Promise<Template[]> {
  const rows = await context.db.notificationTemplate.findMany({
    where: {
      ...(templateCode !== null && { templateCode }),
      ...(status !== null && { status }),
      ...afterTimeAndId('createdAt', 'templateId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { templateId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
