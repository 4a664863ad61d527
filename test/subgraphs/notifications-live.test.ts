/** In live no channel is simulated: a message goes to a provider, to the inbox at the bank, or is rejected. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Channel } from '../../subgraphs/notifications/model/channel.ts'
import { aNotifier, type Notifier } from './notifications-kit.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let bank: Notifier
beforeEach(async () => {
  bank = await aNotifier()
  bank.bank.environment = 'live'
  await bank.party('pty_ada')
  for (const channel of ['EMAIL', 'SMS', 'PUSH', 'SECURE_MESSAGE']) {
    await bank.template({ templateCode: `by ${channel}`, channel, status: 'active' })
  }
})
afterEach(() => bank.drop())

const notify = (channel: string, more: object = {}) =>
  bank.notify({ partyId: 'pty_ada', channel, templateCode: `by ${channel}`, ...more })
const simulation = (id: string) =>
  bank.execute(
    'query ($id: ID!) { notification(notificationId: $id) { status provider isSimulated } }',
    { id },
  )

describe('notifications without a provider', () => {
  test.each([
    ['EMAIL', 'SMTP_URL'],
    ['SMS', 'SMS_URL'],
    ['PUSH', 'PUSH_URL'],
  ])(
    '%s is rejected in live with the setting to configure, and nothing is stored',
    async (name, setting) => {
      const events = await bank.events()
      for (const more of [{}, { sendAt: '2026-03-03T09:00:00Z' }]) {
        const { errors } = await notify(name, more)
        expect(errors[0]!.message).toContain(setting)
        expect(errors[0]!.extensions).toMatchObject({
          code: 'CHANNEL_NOT_CONFIGURED',
          errors: [{ pointer: '/channel', allowed: ['secure-message'] }],
        })
      }
      expect(await bank.rows('select 1 from notifications.notification')).toEqual([])
      expect(await bank.events()).toEqual(events)
    },
  )

  test('secure messages are delivered to the inbox at the bank, which is not simulated', async () => {
    const id = (await notify('SECURE_MESSAGE')).data.answer.notificationId
    await bank.deliver()
    expect((await simulation(id)).data.notification).toEqual({
      status: 'DELIVERED',
      provider: 'mailbox',
      isSimulated: false,
    })
  })

  test('a message that must not be sent is still suppressed', async () => {
    await bank.party('pty_ada', { status: 'deceased' })
    expect((await notify('SMS')).data.answer.status).toBe('SUPPRESSED')
  })

  test.each(['EMAIL', 'SMS', 'PUSH'])(
    '%s is simulated in the sandbox and marked as simulated',
    async (channel) => {
      bank.bank.environment = 'sandbox'
      const id = (await notify(channel)).data.answer.notificationId
      await bank.deliver()
      expect((await simulation(id)).data.notification).toEqual({
        status: 'DELIVERED',
        provider: 'simulator',
        isSimulated: true,
      })
      expect(await bank.rows('select 1 from notifications.mail')).toHaveLength(1)
    },
  )
})

interface Provider {
  url: string
  received: { body: string; headers: Record<string, string> }[]
  /** Statuses of the next responses; 202 when none is left. */
  answers: number[]
  server: Server
}

async function aProvider(): Promise<Provider> {
  const received: Provider['received'] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      received.push({ body: Buffer.concat(chunks).toString(), headers })
      response.writeHead(answers.shift() ?? 202, { location: '/elsewhere' }).end('+31612345678')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/messages`, received, answers, server }
}

describe('notifications with an HTTP provider', () => {
  let provider: Provider
  beforeEach(async () => {
    provider = await aProvider()
    bank.bank.config.smsProvider = { url: provider.url, secret }
    bank.bank.config.pushProvider = { url: provider.url, secret }
  })
  afterEach(async () => {
    provider.server.closeAllConnections()
    await new Promise((resolve) => provider.server.close(resolve))
  })

  const sent = async (channel: string, answers: number[] = []) => {
    provider.answers.push(...answers)
    const { data } = await notify(channel, { personalization: { message: 'Your code is 4711.' } })
    await bank.deliver()
    return data.answer.notificationId as string
  }

  test.each([
    ['SMS', 'sms', '+31612345678'],
    ['PUSH', 'push', 'device'],
  ] as [string, Channel, string][])(
    '%s is sent to the provider once, signed',
    async (name, channel, to) => {
      const id = await sent(name)
      expect(await bank.stored(id)).toMatchObject({ status: 'sent', provider: `${channel}-http` })
      const [{ body, headers }, ...others] = provider.received as [Provider['received'][0]]
      expect(others).toEqual([])
      expect(new Webhook(secret).verify(body, headers)).toEqual({
        notificationId: id,
        channel,
        to,
        body: 'Your code is 4711.',
      })
      expect(headers['webhook-id']).toBe(id)
      expect(await bank.rows('select 1 from notifications.mail')).toEqual([])
    },
  )

  test('channels without a provider are still rejected', async () => {
    const { errors } = await notify('EMAIL')
    expect(errors[0]!.extensions).toMatchObject({
      code: 'CHANNEL_NOT_CONFIGURED',
      errors: [{ allowed: ['sms', 'push', 'secure-message'] }],
    })
  })

  test.each([400, 410, 413, 422])('status %i fails the message permanently', async (status) => {
    const id = await sent('SMS', [status])
    const row = await bank.stored(id)
    expect(row).toMatchObject({ status: 'failed', failure_reason: `http-${status}` })
    expect(JSON.stringify(await bank.events())).not.toContain('+31612345678')
  })

  test.each([302, 401, 404, 408, 429, 500, 503])(
    'a message is retried after status %i',
    async (status) => {
      const id = await sent('SMS', [status])
      expect(await bank.stored(id)).toMatchObject({
        status: 'accepted',
        attempts: [{ outcome: 'deferred', reason: `http-${status}` }],
      })
      bank.clock.advance(30_000)
      await bank.deliver()
      expect((await bank.stored(id))['status']).toBe('sent')
      expect(provider.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
    },
  )

  test('a message is retried when the provider is unreachable', async () => {
    provider.server.closeAllConnections()
    await new Promise((resolve) => provider.server.close(resolve))
    const row = await bank.stored(await sent('SMS'))
    expect(row).toMatchObject({ status: 'accepted', attempts: [{ reason: 'http-error' }] })
  })
})

test.each(['queued', 'accepted'])(
  'a message %s when its provider is unconfigured is retried, finally fails, and is never simulated',
  async (status) => {
    bank.bank.config.smsProvider = { url: 'http://127.0.0.1:9', secret }
    const sendAt = '2026-03-02T10:00:00Z'
    const id = (await notify('SMS', { sendAt })).data.answer.notificationId
    await bank.rows(
      `update notifications.notification set status = $2, provider = 'sms-http', rendered_body = 'B'
       where notification_id = $1`,
      [id, status],
    )
    // As in another process whose settings no longer name the provider.
    const other = { ...bank.bank, config: { ...bank.bank.config, smsProvider: null } }
    bank.clock.set(sendAt)
    await bank.deliver(other)
    const reason = 'channel-not-configured'
    expect(await bank.stored(id)).toMatchObject({
      status,
      attempts: [{ outcome: 'deferred', reason }],
    })
    for (let tries = 0; tries < 4; tries++) {
      bank.clock.advance(600_000)
      await bank.deliver(other)
    }
    expect(await bank.stored(id)).toMatchObject({ status: 'failed', failure_reason: reason })
    expect(await bank.rows('select 1 from notifications.mail')).toEqual([])
  },
)
