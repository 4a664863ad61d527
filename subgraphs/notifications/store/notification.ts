import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { statementName } from '../../../kernel/database/statement-name.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { batchedRead } from '../../../kernel/database/gathered-read.ts'
import type { SelectedFields } from '../../../kernel/graph/selected-fields.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { SelectedColumns } from '../../../kernel/database/selected-columns.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, update, updateMany, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { ActiveTemplate } from '../domain/notification.ts'
import { Notification } from '../model/notification.ts'
import type { Personalization } from '../domain/personalization.ts'
import type { Reachability } from '../domain/suppression.ts'

const table = 'notifications.notification'

type NotificationRow = Prisma.NotificationGetPayload<object>

function fromRow({ leaseUntil: _, ...row }: NotificationRow): Notification {
  return withPersonalization(row)
}

/** Parses the personalization of a row, in the row itself. A copy of fifty rows would take longer. */
function withPersonalization(row: Omit<NotificationRow, 'leaseUntil'>): Notification {
  const notification = row as unknown as Notification
  const { personalization } = row
  if (personalization) notification.personalization = JSON.parse(personalization) as Personalization
  return notification
}

/** Personalizations are stored as text, because the order of their members must be kept. */
function toRow({ personalization, ...columns }: Notification): Row {
  return {
    ...columnsOf(columns),
    personalization: personalization && JSON.stringify(personalization),
  }
}

function changingColumns(notification: Notification): Row {
  return {
    status: notification.status,
    suppression_reason: notification.suppressionReason,
    failure_reason: notification.failureReason,
    rendered_subject: notification.renderedSubject,
    rendered_body: notification.renderedBody,
    provider: notification.provider,
    attempts: notification.attempts,
    due_at: notification.dueAt,
    lease_id: notification.leaseId,
    delivered_at: notification.deliveredAt,
    updated_at: notification.updatedAt,
  }
}

/**
 * The inputs for creating a notification: the published fact of the party, and the active templates
 * for the code and channel.
 */
export interface NotificationInputs {
  party: Reachability | null
  templates: ActiveTemplate[]
}

const templatesSql = `
  select template_code, channel,
    jsonb_agg(jsonb_build_object('templateId', template_id, 'language', language,
      'category', category, 'variables', variables)) as templates
  from notifications.template
  where (template_code, channel) in (select * from unnest($1::text[], $2::text[]))
    and status = 'active'
  group by template_code, channel`

type TemplateKey = Pick<Notification, 'templateCode' | 'channel'>

const templateKeyOf = ({ templateCode, channel }: TemplateKey) => `${channel} ${templateCode}`

const readActiveTemplates = batchedRead<TemplateKey, ActiveTemplate[]>(
  templateKeyOf,
  async ({ reads }, keys) => {
    const { rows } = await reads.query<{
      template_code: string
      channel: Notification['channel']
      templates: ActiveTemplate[]
    }>({
      name: statementName(templatesSql),
      text: templatesSql,
      values: [keys.map(({ templateCode }) => templateCode), keys.map(({ channel }) => channel)],
    })
    const byKey = new Map(
      rows.map(({ template_code: templateCode, channel, templates }) => [
        templateKeyOf({ templateCode, channel }),
        templates,
      ]),
    )
    return keys.map((key) => byKey.get(templateKeyOf(key)) ?? [])
  },
)

/**
 * Reads the inputs for creating a notification. Concurrent requests share one query for templates.
 */
export async function readNotificationInputs(
  context: Context,
  request: Pick<Notification, 'partyId' | 'templateCode' | 'channel'>,
): Promise<NotificationInputs> {
  const [[party], templates] = await Promise.all([
    readFacts(context, [`party/${request.partyId}`]),
    readActiveTemplates(context.bank, request),
  ])
  return { party: party as Reachability | null, templates }
}

export function insertNotification(notification: Notification): Write {
  return insert(table, toRow(notification))
}

/** Updates a notification if its version is still the expected one. */
export function updateNotification(notification: Notification, expectedVersion: number): Write {
  const key = { notification_id: notification.notificationId }
  return update(table, key, expectedVersion, changingColumns(notification))
}

/**
 * Updates notifications if each still has its previous version and this lease. The lease is checked
 * because a claim by another worker does not change the version.
 */
export function updateNotifications(
  notifications: readonly Notification[],
  leaseId: string,
): Write {
  const rows = notifications.map((notification) => ({
    notification_id: notification.notificationId,
    version: notification.version - 1,
    ...changingColumns(notification),
  }))
  return updateMany(table, 'notification_id', rows, { column: 'lease_id', value: leaseId })
}

/** Reads the current state of a notification; null if it does not exist. */
export async function findNotification(
  context: Context,
  notificationId: string,
): Promise<Notification | null> {
  const row = await context.db.notification.findUnique({ where: { notificationId } })
  return row && fromRow(row)
}

/** Loads notifications by ID; null if not visible to the caller. */
export const loadNotification = loader<string, Notification>(async (context, notificationIds) => {
  const rows = await context.db.notification.findMany({
    where: { notificationId: { in: [...notificationIds] } },
  })
  const visible = rows.map(fromRow).filter(({ partyId }) => maySee(context.caller, [partyId]))
  return inOrder(notificationIds, visible, ({ notificationId }) => notificationId)
})

const columns = new SelectedColumns<NotificationRow>(
  Object.keys(Notification.fields) as (keyof Notification)[],
  ['notificationId', 'partyId', 'createdAt'],
  {
    __typename: [],
    party: ['partyId'],
    template: ['templateId'],
    isSimulated: ['provider', 'channel'],
  },
)

export interface NotificationFilter {
  partyId: string | null
  status: Notification['status'] | null
  channel: Notification['channel'] | null
}

const filterColumns = { partyId: 'party_id', status: 'status', channel: 'channel' } as const

const ofPartiesSql = `
  select ${columns.listFor()} from unnest($1::text[]) p(id) cross join lateral (
    select * from notifications.notification
    where party_id = p.id order by created_at, notification_id limit $2
  ) notification`

const loadNotificationsOf = listLoader(async (context, partyIds, { take }: { take: number }) => {
  const rows = await readRows<NotificationRow>(context.bank, ofPartiesSql, [partyIds, take])
  const visibleRows = await context.keepVisible('notification', rows)
  const lists = listsByKey(partyIds, visibleRows, ({ partyId }) => partyId)
  return lists.map((list) => list.map(withPersonalization))
})

/**
 * Lists the notifications to a party in the order in which they were created. The first pages of
 * several parties are read together.
 */
export function listNotificationsOf(
  context: Context,
  partyId: string,
  after: string[] | null,
  take: number,
): Promise<Notification[]> {
  return after === null
    ? loadNotificationsOf(context, partyId, { take })
    : listNotifications(context, { partyId, status: null, channel: null }, after, take)
}

/** Lists notifications in the order in which they were created, with at least the given fields. */
export async function listNotifications(
  context: Context,
  filter: NotificationFilter,
  after: string[] | null,
  take: number,
  fields?: SelectedFields,
): Promise<Notification[]> {
  const values: (string | number)[] = [take, ...(after ?? [])]
  const conditions = after ? ['(created_at, notification_id) > ($2::timestamptz, $3::text)'] : []
  for (const [name, column] of Object.entries(filterColumns)) {
    const value = filter[name as keyof NotificationFilter]
    if (value !== null) conditions.push(`${column} = $${values.push(value)}`)
  }
  // A constant, so that also a plan for any status can use the index of what was not delivered.
  const isRare = filter.status === 'failed' || filter.status === 'suppressed'
  if (isRare) conditions.push("status in ('failed', 'suppressed')")
  const sql = `
  select ${columns.listFor(fields)} from notifications.notification
  where ${conditions.join(' and ') || 'true'}
  order by created_at, notification_id limit $1`
  const rows = await readRows<NotificationRow>(context.bank, sql, values)
  return (await context.keepVisible('notification', rows)).map(withPersonalization)
}

export interface Lease {
  leaseId: string
  /**
   * The bank's time, for finding due notifications. Leases expire by the clock of the database,
   * because the bank's clock can be moved forward in the sandbox.
   */
  now: Date
  lengthMs: number
}

const isClaimableSql =
  'due_at <= $1 and (lease_id is null or lease_until is null or lease_until <= now())'

/** Whether there are due notifications that no worker leases. */
export const areNotificationsDueSql = isAnyDueSql(
  'notifications.notification',
  'due_at',
  isClaimableSql,
)

const claimSql = `
  update notifications.notification claimed
  set lease_id = $2, lease_until = now() + $3 * interval '1 ms'
  from (select notification_id from notifications.notification
        where ${isClaimableSql}
        order by due_at limit $4 for update skip locked) due
  where claimed.notification_id = due.notification_id
  returning claimed.notification_id`

/**
 * Leases up to `max` due notifications to one worker. Other workers skip them until the lease
 * expires. A lease does not change the version of a notification.
 */
export async function claimDue(
  context: Context,
  lease: Lease,
  max: number,
): Promise<Notification[]> {
  const { rows } = await context.bank.pool.query<{ notification_id: string }>({
    name: statementName(claimSql),
    text: claimSql,
    values: [lease.now, lease.leaseId, lease.lengthMs, max],
  })
  return rows.length === 0 ? [] : findLeased(context, lease.leaseId)
}

/** Finds the notifications that a worker still leases, oldest first. */
export async function findLeased(context: Context, leaseId: string): Promise<Notification[]> {
  const rows = await context.db.notification.findMany({
    where: { leaseId, dueAt: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { notificationId: 'asc' }],
  })
  return rows.map(fromRow)
}
