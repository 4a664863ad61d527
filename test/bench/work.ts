/** The work all contenders do: the same tables, the same rows, the same answer. */

export const createBody = {
  type: 'object',
  required: ['partyId', 'channel', 'templateCode'],
  additionalProperties: false,
  properties: {
    partyId: { type: 'string' },
    channel: { type: 'string', enum: ['email', 'sms', 'push', 'secure-message'] },
    templateCode: { type: 'string' },
    subject: { type: 'string' },
    personalization: { type: 'object' },
    sendAt: { type: 'string', format: 'date-time' },
  },
}

/** Idempotency row, party and template looked up, notification, outbox event, answer: one statement. */
export const createSql = `
with party as (select data from kernel.fact where subject = $3),
template as (
  select template_id, category, language from notifications.template
  where template_code = $4 and channel = $5 and status = 'active' limit 1
),
answer as (
  select jsonb_build_object('notificationId', $6::text, 'partyId', $7::text, 'channel', $5::text,
    'templateCode', $4::text, 'personalization', $8::jsonb, 'status', 'queued', 'createdAt', $10::timestamptz) as answer
  from party, template
),
claim as (
  insert into kernel.idempotency (owner, operation, key, fingerprint, answer, created_at, is_retained)
  select 'bench', 'createNotification', $1, $2, answer::text, $10, false from answer
  on conflict do nothing returning 1
),
created as (
  insert into notifications.notification (notification_id, party_id, channel, template_code, template_id,
    category, language, personalization, status, attempts, send_at, due_at, version, created_at, updated_at)
  select $6, $7, $5, $4, template_id, category, language, $8::text, 'queued', '[]', $9::timestamptz,
    $9::timestamptz, 1, $10, $10
  from claim, template
),
told as (
  insert into kernel.outbox (event_count, events)
  select 1, json_build_array(json_build_object('event_id', $11::text,
    'type', 'notifications.notification.queued', 'subject', 'notification/' || $6,
    'subject_version', 1, 'ordinal', 0, 'time', $10::timestamptz,
    'data', json_build_object('notificationId', $6::text, 'status', 'queued'),
    'parties', array[$7], 'correlation_id', $1::text, 'actor', 'bench'))
  from claim
)
select answer from answer`

/** Fifty notifications with their parties, joined. */
export const readSql = `
select n.notification_id as "notificationId", n.channel, n.template_code as "templateCode", n.status,
  n.created_at as "createdAt", json_build_object('partyId', p.party_id, 'kind', p.kind, 'language', p.language) as party
from notifications.notification n join parties.party p using (party_id)
order by n.created_at, n.notification_id limit 50`

/** The same through the graph. */
export const readQuery = `query Read {
  notifications(first: 50) {
    nodes { notificationId channel templateCode status createdAt party { partyId kind language } }
  }
}`
