import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aNotifier, type Notifier } from './notifications-kit.ts'

/** A server that speaks just enough SMTP, and answers the recipients as a test wants. */
interface Mailhost {
  url: string
  received: string[]
  /** What it answers to the next recipients; 250 when there is nothing left. */
  answers: string[]
  stop(): Promise<void>
}

async function aMailhost(): Promise<Mailhost> {
  const received: string[] = []
  const answers: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let mail: string | null = null
    let rest = ''
    socket.write('220 mailhost\r\n')
    socket.on('data', (bytes) => {
      rest += bytes.toString('utf8')
      for (let end; (end = rest.indexOf('\r\n')) >= 0; rest = rest.slice(end + 2)) {
        const line = rest.slice(0, end)
        if (mail !== null && line === '.') {
          received.push(mail)
          mail = null
          socket.write('250 taken\r\n')
        } else if (mail !== null) mail += `${line}\n`
        else if (line === 'DATA') {
          mail = ''
          socket.write('354 go on\r\n')
        } else if (line.startsWith('RCPT')) socket.write(`${answers.shift() ?? '250 ok'}\r\n`)
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?from=bank@example.com`,
    received,
    answers,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let bank: Notifier
let host: Mailhost
beforeAll(async () => {
  host = await aMailhost()
  bank = await aNotifier()
  bank.bank.config.smtpUrl = host.url
  await bank.party('pty_ada', {}, 'Ada "The Countess" Lovelace\r\nBcc: eve@example.com')
  await bank.template({
    templateCode: 'mail',
    channel: 'EMAIL',
    status: 'active',
    subject: 'Hello',
    body: '<p>{{ text }}</p>',
    variables: [{ name: 'text' }],
  })
  await bank.template({ templateCode: 'sms', channel: 'SMS', status: 'active' })
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

test('an e-mail is handed over, escaped, under the id of its notification, and ends as sent', async () => {
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
  expect(await bank.told(`notification/${id}`)).toEqual(
    ['queued', 'accepted', 'sent'].map((state) => `notifications.notification.${state}`),
  )
  expect(await bank.rows('select * from notifications.mail')).toEqual([])
})

test('a refusal for good fails at once, without the words of the server', async () => {
  const id = await mailed('Hi', ['550 5.1.1 <ada@example.com> unknown'])
  const row = await bank.stored(id)
  expect(row).toMatchObject({ status: 'failed', failure_reason: 'smtp-550' })
  expect(row['attempts']).toMatchObject([{ outcome: 'refused', reason: 'smtp-550' }])
  expect(JSON.stringify(await bank.events())).not.toContain('ada@example.com')
})

test('a busy server is tried again after a pause', async () => {
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
  expect(await bank.told(`notification/${id}`)).toHaveLength(3)
})

test('after five attempts it is given up', async () => {
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

test('a report of the provider ends what ended as sent', async () => {
  const id = await mailed()
  const document = `mutation ($id: ID!) { answer: recordDeliveryReport(
    provider: "smtp", messageId: $id, status: FAILED, at: "2026-03-02T10:00:00Z") { status } }`
  expect((await bank.execute(document, { id })).data.answer.status).toBe('FAILED')
  expect((await bank.stored(id))['failure_reason']).toBe('reported-by-provider')
})

test('other channels still go into the mailbox', async () => {
  const { data } = await bank.notify({ partyId: 'pty_ada', channel: 'SMS', templateCode: 'sms' })
  await bank.deliver()
  expect(await bank.stored(data.answer.notificationId)).toMatchObject({
    status: 'delivered',
    provider: 'mailbox',
  })
})
