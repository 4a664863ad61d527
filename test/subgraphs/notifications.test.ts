import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import {
  aNotifier,
  countStatements,
  notificationFields,
  type Notifier,
} from './notifications-kit.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { statusOf } from '../kit/status-of.ts'
import { aCaller } from '../kit/subgraph.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
  await bank.party('pty_ada', { language: 'nl-BE' })
  await bank.party('pty_grace')
  for (const channel of ['EMAIL', 'SMS']) {
    await bank.template({ templateCode: 'plain', channel, status: 'active' })
  }
  await bank.template({ templateId: 'draft', channel: 'EMAIL' })
  await bank.template({ templateId: 'french', channel: 'EMAIL', status: 'active', language: 'fr' })
  await bank.template({
    templateCode: 'marketing',
    channel: 'EMAIL',
    status: 'active',
    category: 'MARKETING',
  })
  await bank.wording({
    templateCode: 'amount',
    channel: 'SMS',
    body: '{{ amount }} {{ name }}',
    variables: [{ name: 'amount', type: 'NUMBER' }, { name: 'name' }],
  })
})
afterAll(() => bank.drop())

const ada = { partyId: 'pty_ada', channel: 'EMAIL', templateCode: 'plain' }
const asAda = { caller: aCaller({ partyId: 'pty_ada' }) }
const asGrace = { caller: aCaller({ partyId: 'pty_grace' }) }

async function everything() {
  return [
    await bank.rows('select * from notifications.notification order by notification_id'),
    await bank.rows('select * from notifications.mail order by mail_id'),
    await bank.rows('select * from notifications.delivery_report order by 1, 2, 3'),
    (await bank.events()).length,
  ]
}

test('returns a notification as it was sent, with its keys in the same order', async () => {
  const personalization = { z: 1, a: { b: [true, null, 'x'] }, m: 'ü' }
  const subject = 'Hello {{ name }}'
  const { data, errors } = await bank.notify({ ...ada, subject, personalization })
  expect(errors).toEqual([])
  expect(data.answer).toMatchObject({
    ...ada,
    subject,
    status: 'QUEUED',
    language: 'en',
    createdAt: bank.bank.now().toISOString(),
    deliveredAt: null,
    attempts: [],
    sendAt: null,
  })
  const { notificationId } = data.answer
  const read = await bank.execute(
    `query ($id: ID!) { notification(notificationId: $id) { ${notificationFields} } }`,
    { id: notificationId },
  )
  expect(read.data.notification).toEqual(data.answer)
  expect(JSON.stringify(read.data.notification.personalization)).toBe(
    JSON.stringify(personalization),
  )
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual([
    'notifications.notification.queued',
  ])
})

test('creates a notification with two reads and one commit', async () => {
  const make = () => bank.notify({ ...ada }, { idempotencyKey: 'few-statements' })
  expect(await countStatements(bank, make)).toBe(3)
})

test('replays the response of a repeated idempotency key and emits nothing again', async () => {
  const first = await bank.notify({ ...ada }, { idempotencyKey: 'same' })
  const before = await everything()
  const again = await bank.notify({ ...ada }, { idempotencyKey: 'same' })
  expect(again.data).toEqual(first.data)
  expect(again.isReplayed).toBe(true)
  const other = await bank.notify({ ...ada, subject: 'S' }, { idempotencyKey: 'same' })
  expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await everything()).toEqual(before)
})

test('returns personalization as sent, even where it resembles internal type tags', async () => {
  const message = 'Hello.'
  const hostile = { $date: '2026', $bigint: 'x1', $$date: [{ $date: 1 }] }
  const input = { ...ada, personalization: { message, hostile } }
  const first = await bank.notify(input, { idempotencyKey: 'tags' })
  expect(first.errors).toEqual([])
  expect(first.data.answer.personalization).toEqual({ message, hostile })
  const again = await bank.notify(input, { idempotencyKey: 'tags' })
  expect(again).toEqual({ ...first, isReplayed: true })
})

const inMinutes = (minutes: number) =>
  new Date(bank.bank.now().getTime() + minutes * 60_000).toISOString()

test.each([
  [{ partyId: 'pty_nobody' }, 'PARTY_NOT_FOUND'],
  [{ templateCode: 'nothing' }, 'TEMPLATE_NOT_FOUND'],
  [{ templateCode: 'draft' }, 'TEMPLATE_NOT_ACTIVE'],
  [{ templateCode: 'draft', channel: 'PUSH' }, 'TEMPLATE_CHANNEL_MISMATCH'],
  [{ templateCode: 'french' }, 'TEMPLATE_NOT_FOUND'],
  [{ templateCode: 'amount', channel: 'SMS' }, 'MISSING_PERSONALIZATION'],
  [
    { templateCode: 'amount', channel: 'SMS', personalization: { amount: '1', name: 'x' } },
    'INVALID_PERSONALIZATION',
  ],
  [{ language: 'not a language' }, 'INVALID_LANGUAGE'],
  [{ inMinutes: -6 }, 'SEND_AT_IN_PAST'],
  [{ inMinutes: 90 * 24 * 60 + 1 }, 'SEND_AT_TOO_FAR'],
])(
  'rejects %j with %s and status 422, and writes nothing',
  async (input: Record<string, unknown>, code) => {
    const before = await everything()
    const { inMinutes: minutes, ...rest } = input
    const sendAt = typeof minutes === 'number' ? inMinutes(minutes) : undefined
    const { errors } = await bank.notify({ ...ada, ...rest, sendAt })
    expect(errors).toMatchObject([{ extensions: { code } }])
    expect(statusOf(errors[0]!)).toBe(422)
    expect(await everything()).toEqual(before)
  },
)

test('names the missing personalization values', async () => {
  const { errors } = await bank.notify({ ...ada, templateCode: 'amount', channel: 'SMS' })
  expect(errors[0]!.extensions).toMatchObject({ missing: ['amount', 'name'] })
})

test.each([
  ['opted-out', { marketingOptOut: true }],
  ['suppression-list', { suppressedChannels: ['email' as const] }],
  ['quiet-hours', { quietHours: { from: '08:00', to: '10:00', zone: 'UTC' } }],
  ['deceased', { status: 'deceased' as const }],
  ['no-verified-contact', { channels: { email: { verified: false } } }],
])('suppresses a notification for %s instead of rejecting it', async (reason, fact) => {
  const partyId = await bank.party(`pty_${reason}`, fact)
  const { data } = await bank.notify({ ...ada, partyId, templateCode: 'marketing' })
  expect(data.answer).toMatchObject({
    status: 'SUPPRESSED',
    suppressionReason: reason.toUpperCase().replaceAll('-', '_'),
  })
  const { notificationId } = data.answer
  const type = 'notifications.notification.suppressed'
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual([type])
  await bank.deliver()
  expect((await bank.stored(notificationId))['status']).toBe('suppressed')
})

const cancel = (id: string, options = {}) =>
  bank.execute(
    `mutation ($id: ID!) { answer: cancelNotification(notificationId: $id) { status suppressionReason } }`,
    { id },
    options,
  )

test('a delegated user reads, creates and cancels only their own notifications', async () => {
  const { data } = await bank.notify({ ...ada, sendAt: inMinutes(5) }, asAda)
  const id = data.answer.notificationId
  const one = `query ($id: ID!) { notification(notificationId: $id) { partyId } }`
  expect((await bank.execute(one, { id }, asAda)).data.notification.partyId).toBe('pty_ada')
  expectAbsent(await bank.execute(one, { id }, asGrace))
  expect((await cancel(id, asGrace)).code).toBe('NOTIFICATION_NOT_FOUND')
  expect((await bank.notify({ ...ada }, asGrace)).code).toBe('PARTY_NOT_FOUND')
  const nodes = async (field: string, options: object) =>
    (await bank.execute(`{ ${field} { nodes { partyId } } }`, {}, options)).data[
      field.split('(')[0]!
    ].nodes
  await bank.deliver()
  expect(await nodes('notifications', asGrace)).toEqual([])
  expect(await nodes('notifications(partyId: "pty_ada")', asGrace)).toEqual([])
  expect(await nodes('mailbox(partyId: "pty_ada")', asGrace)).toEqual([])
  expect((await nodes('mailbox(partyId: "pty_ada")', asAda)).length).toBeGreaterThan(0)
  const owners = new Set((await nodes('notifications', asAda)).map((node: any) => node.partyId))
  expect([...owners]).toEqual(['pty_ada'])
})

test('resolves fifty entity references in two statements, and hides them from other parties', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => bank.notify({ ...ada })))
  const representations = made.map(({ data }) => ({
    __typename: 'Notification',
    notificationId: data.answer.notificationId,
  }))
  const document = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      ... on Notification { notificationId template { templateId } }
      ... on Party { partyId notifications(first: 1) { nodes { partyId } } } } }`
  let data: any
  const statements = await countStatements(bank, async () => {
    data = (await bank.execute(document, { representations })).data
  })
  expect(data._entities).toHaveLength(50)
  expect(data._entities[49].template.templateId).toMatch(/^tpl_/)
  expect(statements).toBe(2)
  const others = await bank.execute(document, { representations }, asGrace)
  expect(others.data._entities.every((entity: unknown) => entity === null)).toBe(true)
  const party = [{ __typename: 'Party', partyId: 'pty_ada' }]
  const joined = await bank.execute(document, { representations: party })
  expect(joined.data._entities[0].notifications.nodes).toEqual([{ partyId: 'pty_ada' }])
  const hidden = await bank.execute(document, { representations: party }, asGrace)
  expect(hidden.data._entities[0].notifications.nodes).toEqual([])
})

test('hides the rendered text from a caller without the scope notifications:read', async () => {
  const scopes = everyScope.filter((scope) => scope !== 'notifications:read')
  const { data, errors } = await bank.notify({ ...ada }, { caller: aCaller({ scopes }) })
  expect(data.answer).toMatchObject({ status: 'QUEUED', renderedBody: null })
  expect(errors.map(({ extensions }) => extensions!['code'])).toEqual([
    'INSUFFICIENT_SCOPE',
    'INSUFFICIENT_SCOPE',
  ])
})
