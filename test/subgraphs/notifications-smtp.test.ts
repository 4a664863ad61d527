import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMailServer, type MailServer } from '../kit/mail-server.ts'
import { aNotifier, type Notifier } from './notifications-kit.ts'

let bank: Notifier
let host: MailServer
beforeAll(async () => {
  host = await aMailServer()
  bank = await aNotifier()
  bank.bank.environment = 'live'
  bank.bank.config.smtpUrl = host.url
  await bank.party('pty_ada', {}, 'Ada "The Countess" Lovelace\r\nBcc: eve@example.com')
  await bank.wording({
    templateCode: 'mail',
    channel: 'EMAIL',
    subject: 'Hello',
    body: '<p>{{ text }}</p>',
    variables: [{ name: 'text' }],
  })
})
beforeEach(() => {
  host.received.length = 0
})
afterAll(async () => {
  await bank.drop()
  await host.stop()
})

async function mailed(text = 'Hi', answers: string[] = []) {
  host.answers.push(...answers)
  const { data } = await bank.notify({
    partyId: 'pty_ada',
    channel: 'EMAIL',
    templateCode: 'mail',
    personalization: { text },
  })
  await bank.deliver()
  return data.answer.notificationId as string
}

test('sends an escaped e-mail under the id of its notification, which ends as sent', async () => {
  const id = await mailed('<b>&')
  expect(await bank.stored(id)).toMatchObject({
    status: 'sent',
    provider: 'smtp',
    due_at: null,
    delivered_at: null,
  })
  expect(host.received).toHaveLength(1)
  expect(host.received[0]).toContain(`Message-ID: <${id}@example.com>`)
  expect(host.received[0]).toContain('<p>&lt;b&gt;&amp;</p>')
  expect(host.received[0]).toMatch(/^From: bank@example\.com$/m)
  expect(host.received[0]).not.toMatch(/^Bcc:/im)
  expect(await bank.eventsOf(`notification/${id}`)).toEqual(
    ['queued', 'accepted', 'sent'].map((state) => `notifications.notification.${state}`),
  )
  expect(await bank.rows('select * from notifications.mail')).toEqual([])
})

test('fails at once on a permanent rejection, without storing the words of the server', async () => {
  const id = await mailed('Hi', ['550 5.1.1 <ada@example.com> unknown'])
  const row = await bank.stored(id)
  expect(row).toMatchObject({ status: 'failed', failure_reason: 'smtp-550' })
  expect(row['attempts']).toMatchObject([{ outcome: 'refused', reason: 'smtp-550' }])
  expect(JSON.stringify(await bank.events())).not.toContain('ada@example.com')
})

test('retries after a pause when the server is busy', async () => {
  const id = await mailed('Hi', ['451 busy', '451 busy'])
  expect(await bank.stored(id)).toMatchObject({ status: 'accepted', failure_reason: null })
  bank.clock.advance(29_999)
  expect(await bank.deliver()).toBe(0)
  bank.clock.advance(1)
  await bank.deliver()
  expect((await bank.stored(id))['status']).toBe('accepted')
  bank.clock.advance(60_000)
  await bank.deliver()
  const row = await bank.stored(id)
  expect(row['status']).toBe('sent')
  expect(row['attempts'].map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'deferred',
    'deferred',
    'handed-over',
  ])
  expect(host.received).toHaveLength(1)
  expect(await bank.eventsOf(`notification/${id}`)).toHaveLength(3)
})

test('fails after five attempts', async () => {
  const id = await mailed(
    'Hi',
    Array.from({ length: 5 }, () => '421 later'),
  )
  for (let tries = 0; tries < 4; tries++) {
    bank.clock.advance(600_000)
    await bank.deliver()
  }
  const row = await bank.stored(id)
  expect(row).toMatchObject({ status: 'failed', failure_reason: 'smtp-421' })
  expect(row['attempts']).toHaveLength(5)
})

test('a delivery report from the provider changes an e-mail that was sent', async () => {
  const id = await mailed()
  const document = `mutation ($id: ID!) { answer: recordDeliveryReport(
    provider: "smtp", messageId: $id, status: FAILED, at: "2026-03-02T10:00:00Z") { status } }`
  expect((await bank.execute(document, { id })).data.answer.status).toBe('FAILED')
  expect((await bank.stored(id))['failure_reason']).toBe('reported-by-provider')
})
