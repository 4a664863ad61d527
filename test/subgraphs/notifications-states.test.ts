import { afterAll, beforeAll, expect, test } from 'vitest'
import { aNotifier, type Notifier } from './notifications-kit.ts'
import { NotificationStatus } from '../../subgraphs/notifications/model/notification.ts'
import { aCaller } from '../kit/subgraph.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
  await bank.party('pty_ada')
  await bank.template({ templateCode: 'plain', channel: 'EMAIL', status: 'active' })
})
afterAll(() => bank.drop())

const ada = { partyId: 'pty_ada', channel: 'EMAIL', templateCode: 'plain' }
const asAda = { caller: aCaller({ partyId: 'pty_ada' }) }

async function everything() {
  return [
    await bank.rows('select * from notifications.notification order by notification_id'),
    await bank.rows('select * from notifications.mail order by mail_id'),
    await bank.rows('select * from notifications.delivery_report order by 1, 2, 3'),
    (await bank.events()).length,
  ]
}

const inMinutes = (minutes: number) =>
  new Date(bank.bank.now().getTime() + minutes * 60_000).toISOString()

/** A notification that was set to a state in the database. */
async function notificationIn(status: NotificationStatus): Promise<string> {
  const { data } = await bank.notify({ ...ada, sendAt: inMinutes(60) })
  const { notificationId } = data.answer
  const provider = ['queued', 'suppressed'].includes(status) ? null : 'smtp'
  await bank.rows(
    'update notifications.notification set status = $2, provider = $3, due_at = null where notification_id = $1',
    [notificationId, status, provider],
  )
  return notificationId
}

const cancel = (id: string, options = {}) =>
  bank.execute(
    `mutation ($id: ID!) { answer: cancelNotification(notificationId: $id) { status suppressionReason } }`,
    { id },
    options,
  )

const report = (id: string, status: string, provider = 'smtp', options = {}) =>
  bank.execute(
    `mutation ($provider: Label!, $id: ID!, $status: ReportedStatus!, $at: DateTime!) {
       answer: recordDeliveryReport(provider: $provider, messageId: $id, status: $status, at: $at) {
         status deliveredAt failureReason } }`,
    { provider, id, status, at: '2026-03-02T08:59:00.000Z' },
    options,
  )

test.each(NotificationStatus.values)(
  'cancels a notification only if it is queued: %s',
  async (status) => {
    const id = await notificationIn(status)
    const before = await everything()
    const { data, errors } = await cancel(id)
    if (status === 'queued') {
      expect(data.answer).toEqual({ status: 'SUPPRESSED', suppressionReason: 'CANCELLED' })
      expect((await bank.eventsOf(`notification/${id}`)).at(-1)).toBe(
        'notifications.notification.suppressed',
      )
      return
    }
    const refusal = { code: 'INVALID_STATE_TRANSITION', currentState: status }
    expect(errors).toMatchObject([{ extensions: refusal }])
    expect(await everything()).toEqual(before)
  },
)

const wanted: Record<NotificationStatus, Record<string, string[] | null>> = {
  queued: { SENT: null, DELIVERED: null, FAILED: null },
  accepted: { SENT: ['sent'], DELIVERED: ['sent', 'delivered'], FAILED: ['failed'] },
  sent: { SENT: [], DELIVERED: ['delivered'], FAILED: ['failed'] },
  delivered: { SENT: [], DELIVERED: [], FAILED: [] },
  failed: { SENT: [], DELIVERED: [], FAILED: [] },
  suppressed: { SENT: null, DELIVERED: null, FAILED: null },
}
test.each(
  NotificationStatus.values.flatMap((status) =>
    ['SENT', 'DELIVERED', 'FAILED'].map((described) => [described, status] as const),
  ),
)(
  'a report of %s in state %s moves the notification forward or changes nothing',
  async (described, status) => {
    const id = await notificationIn(status)
    const before = await everything()
    const { data, code } = await report(id, described)
    const steps = wanted[status][described]
    if (!steps) {
      expect(code).toBe('INVALID_STATE_TRANSITION')
      expect(await everything()).toEqual(before)
      return
    }
    expect(data.answer.status.toLowerCase()).toBe(steps.at(-1) ?? status)
    const types = await bank.eventsOf(`notification/${id}`)
    expect(types.slice(1)).toEqual(steps.map((step) => `notifications.notification.${step}`))
    if (steps.includes('delivered')) {
      expect(data.answer.deliveredAt).toBe('2026-03-02T08:59:00.000Z')
    }
    const settled = await everything()
    expect((await report(id, described)).data.answer.status).toBe(data.answer.status)
    expect(await everything()).toEqual(settled)
  },
)

test('ten identical concurrent reports count once', async () => {
  const id = await notificationIn('sent')
  const answers = await Promise.all(Array.from({ length: 10 }, () => report(id, 'DELIVERED')))
  for (const { data } of answers) expect(data.answer.status).toBe('DELIVERED')
  expect((await bank.eventsOf(`notification/${id}`)).slice(1)).toEqual([
    'notifications.notification.delivered',
  ])
})

test('rejects a report from another provider, for an unknown message or by a delegated user', async () => {
  const id = await notificationIn('sent')
  expect((await report(id, 'DELIVERED', 'other')).code).toBe('NOTIFICATION_NOT_FOUND')
  expect((await report('ntf_nothing', 'DELIVERED')).code).toBe('NOTIFICATION_NOT_FOUND')
  expect((await report(id, 'DELIVERED', 'smtp', asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
})
