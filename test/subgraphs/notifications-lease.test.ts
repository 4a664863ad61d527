import { afterAll, beforeAll, expect, test } from 'vitest'
import { aNotifier, type Notifier } from './notifications-kit.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { deliverNotifications, leaseMs } from '../../subgraphs/notifications/delivery/worker.ts'
import { claimDue } from '../../subgraphs/notifications/store/notification.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
  await bank.party('pty_ada')
  await bank.template({ templateCode: 'plain', channel: 'EMAIL', status: 'active' })
})
afterAll(() => bank.drop())

const ada = { partyId: 'pty_ada', channel: 'EMAIL', templateCode: 'plain' }

test('leaves a message to the worker that has taken over its lease', async () => {
  const { notificationId } = (await bank.notify(ada)).data.answer
  const retained = (await bank.notify(ada)).data.answer
  const mails = () =>
    bank.rows('select * from notifications.mail where notification_id = $1', [notificationId])
  const { bank: inner } = bank
  const queryGraph = inner.queryGraph
  inner.queryGraph = (async (...args: Parameters<typeof queryGraph>) => {
    inner.queryGraph = queryGraph
    await bank.rows(
      `update notifications.notification set lease_until = now() - interval '1 second'
        where notification_id = $1`,
      [notificationId],
    )
    const lease = { leaseId: 'other', now: inner.now(), lengthMs: leaseMs }
    expect(await claimDue(bankContext(inner), lease, 100)).toHaveLength(1)
    return queryGraph(...args)
  }) as typeof queryGraph
  await deliverNotifications.run(bankContext(inner))
  expect(await bank.stored(notificationId)).toMatchObject({
    status: 'queued',
    lease_id: 'other',
    version: 1,
  })
  expect(await mails()).toEqual([])
  expect(await bank.stored(retained.notificationId)).toMatchObject({ status: 'delivered' })
  await bank.rows(`update notifications.notification set lease_until = now() - interval '1 second'`)
  await bank.deliver()
  expect(await mails()).toHaveLength(1)
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual(
    ['queued', 'accepted', 'sent', 'delivered'].map(
      (state) => `notifications.notification.${state}`,
    ),
  )
})
