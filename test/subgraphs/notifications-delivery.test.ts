import { afterAll, beforeAll, expect, test } from 'vitest'
import { aNotifier, countStatements, reachable, type Notifier } from './notifications-kit.ts'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import { deliverNotifications, leaseMs } from '../../subgraphs/notifications/delivery/worker.ts'
import { claimDue } from '../../subgraphs/notifications/store/notification.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
  await bank.party('pty_ada')
  await bank.template({
    templateId: 'welcome',
    channel: 'EMAIL',
    status: 'active',
    subject: 'Welcome {{ firstName }}',
    body: '<p>Dear {{ partyName }} ({{ firstName }})</p>',
    variables: [{ name: 'firstName' }],
  })
  for (const channel of ['EMAIL', 'SMS', 'PUSH', 'SECURE_MESSAGE']) {
    await bank.template({ templateCode: 'plain', channel, status: 'active' })
    await bank.template({ templateCode: 'offer', channel, status: 'active', category: 'MARKETING' })
  }
})
afterAll(() => bank.drop())

const ada = { partyId: 'pty_ada', channel: 'EMAIL', templateCode: 'plain' }
const steps = ['queued', 'accepted', 'sent', 'delivered'].map(
  (state) => `notifications.notification.${state}`,
)

async function mails(notificationId: string) {
  return bank.rows('select * from notifications.mail where notification_id = $1', [notificationId])
}

test('a notification is rendered, delivered into the mailbox, and told step by step', async () => {
  const { data } = await bank.notify({
    ...ada,
    templateCode: 'welcome',
    personalization: { firstName: 'Ada', other: { nested: [1] } },
  })
  const { notificationId } = data.answer
  expect(await bank.deliver()).toBe(1)
  const row = await bank.stored(notificationId)
  expect(row).toMatchObject({
    status: 'delivered',
    version: 4,
    provider: 'simulator',
    rendered_subject: 'Welcome Ada',
    rendered_body: '<p>Dear Ada Lovelace (Ada)</p>',
    due_at: null,
    lease_id: null,
    delivered_at: bank.bank.now(),
  })
  expect(row['attempts']).toEqual([
    { at: bank.bank.now().toISOString(), outcome: 'handed-over', reason: null },
  ])
  expect(await mails(notificationId)).toMatchObject([
    { address: 'ada@example.com', subject: 'Welcome Ada', body: '<p>Dear Ada Lovelace (Ada)</p>' },
  ])
  expect(await bank.told(`notification/${notificationId}`)).toEqual(steps)
  const log = JSON.stringify((await bank.events()).map(({ data: told }) => told))
  expect(log).not.toMatch(/Lovelace|ada@example|nested/)
  expect(await bank.deliver()).toBe(0)
})

test('each channel delivers, and only two of them have a subject', async () => {
  for (const channel of ['EMAIL', 'SMS', 'PUSH', 'SECURE_MESSAGE']) {
    const { data } = await bank.notify({ ...ada, channel, subject: 'Hello\r\nBcc: x@y.z' })
    await bank.deliver()
    const [mail] = await mails(data.answer.notificationId)
    const hasSubject = channel === 'EMAIL' || channel === 'SECURE_MESSAGE'
    expect(mail!['subject']).toBe(hasSubject ? 'Hello Bcc: x@y.z' : null)
    expect(data.answer.subject).toBe('Hello\r\nBcc: x@y.z')
  }
})

test('a template without a body passes on the message, else the subject, else a neutral sentence', async () => {
  const cases = [
    [{ subject: 'S', personalization: { message: 'M <b>' } }, 'M <b>'],
    [{ subject: 'S' }, 'S'],
    [{}, 'You have a new message from your bank.'],
  ] as const
  for (const [input, body] of cases) {
    const { data } = await bank.notify({ ...ada, channel: 'SMS', ...input })
    await bank.deliver()
    expect((await mails(data.answer.notificationId))[0]!['body']).toBe(body)
  }
})

test('a scheduled notification waits for its time', async () => {
  const sendAt = new Date(bank.bank.now().getTime() + 3_600_000).toISOString()
  const { data } = await bank.notify({ ...ada, sendAt })
  const { notificationId } = data.answer
  expect(await bank.deliver()).toBe(0)
  bank.clock.advance(3_599_999)
  expect(await bank.deliver()).toBe(0)
  bank.clock.advance(1)
  expect(await bank.deliver()).toBe(1)
  expect((await bank.stored(notificationId))['status']).toBe('delivered')
})

test('consent that was withdrawn before the time holds at the time', async () => {
  const partyId = await bank.party('pty_fickle')
  const sendAt = new Date(bank.bank.now().getTime() + 60_000).toISOString()
  const { data } = await bank.notify({ ...ada, partyId, templateCode: 'offer', sendAt })
  expect(data.answer.status).toBe('QUEUED')
  await bank.party('pty_fickle', { marketingOptOut: true })
  bank.clock.advance(60_000)
  await bank.deliver()
  const row = await bank.stored(data.answer.notificationId)
  expect(row).toMatchObject({ status: 'suppressed', suppression_reason: 'opted-out', version: 2 })
  expect(await mails(data.answer.notificationId)).toEqual([])
})

test('what cannot be rendered or is too long for the channel fails, and says why', async () => {
  await bank.template({
    templateCode: 'long',
    channel: 'PUSH',
    status: 'active',
    body: '{{ text }}',
    variables: [{ name: 'text', required: false }],
  })
  const push = { ...ada, channel: 'PUSH', templateCode: 'long' }
  const long = await bank.notify({ ...push, personalization: { text: 'x'.repeat(241) } })
  const empty = await bank.notify({ ...push })
  const fits = await bank.notify({ ...push, personalization: { text: 'x'.repeat(240) } })
  await bank.deliver()
  const reasons = await Promise.all(
    [long, empty, fits].map(async ({ data }) => {
      const row = await bank.stored(data.answer.notificationId)
      return [row['status'], row['failure_reason']]
    }),
  )
  expect(reasons).toEqual([
    ['failed', 'body-too-long'],
    ['failed', 'empty-body'],
    ['delivered', null],
  ])
})

test('200 notifications arrive once each, in order, in a few statements', async () => {
  const made = await Promise.all(Array.from({ length: 200 }, () => bank.notify({ ...ada })))
  const ids = made.map(({ data }) => data.answer.notificationId as string)
  const statements = await countStatements(bank, async () => {
    expect(await bank.deliver()).toBe(200)
  })
  expect(statements).toBeLessThan(25)
  while ((await bank.rows('select kernel.sequence_events(1000) as moved'))[0]!['moved'] > 0);
  const log = await bank.rows('select * from kernel.event order by position')
  log.forEach((event, index) => expect(event['position']).toBe(String(index + 1)))
  for (const id of ids) {
    const own = log.filter((event) => event['subject'] === `notification/${id}`)
    expect(own.map((event) => event['type'])).toEqual(steps)
    expect(own.map((event) => event['sequence'])).toEqual([1, 2, 3, 4])
    expect(await mails(id)).toHaveLength(1)
  }
})

const endLeases = () =>
  bank.rows('update notifications.notification set lease_until = now() where lease_id is not null')

test('a worker that dies after its claim leaves the message to others, once its lease is over', async () => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const context = bankContext(bank.bank)
  const now = context.now()
  const claimed = await claimDue(context, { leaseId: 'dead', now, lengthMs: leaseMs }, 100)
  expect(claimed.map((each) => each.notificationId)).toEqual([notificationId])
  // The clock of the sandbox ends no lease.
  bank.clock.advance(leaseMs)
  expect(await bank.deliver()).toBe(0)
  await endLeases()
  expect(await bank.deliver()).toBe(1)
  expect(await mails(notificationId)).toHaveLength(1)
})

test.each([
  ['before the first commit', 'queued', 0],
  ['after accepted', 'accepted', 0],
  ['after sent', 'sent', 1],
])('a crash %s doubles nothing and loses nothing', async (_when, state, mailsThen) => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const allowed = ['queued', 'accepted', 'sent'].indexOf(state)
  const { commits } = bank.bank
  const commit = commits.commit.bind(commits)
  let done = 0
  commits.commit = (statement) => {
    if (done++ === allowed) throw new Error('killed')
    return commit(statement)
  }
  await expect(deliverNotifications.run(bankContext(bank.bank))).rejects.toThrow('killed')
  commits.commit = commit
  expect((await bank.stored(notificationId))['status']).toBe(state)
  expect(await mails(notificationId)).toHaveLength(mailsThen)
  await endLeases()
  await bank.deliver()
  expect((await bank.stored(notificationId))['status']).toBe('delivered')
  expect(await mails(notificationId)).toHaveLength(1)
  expect(await bank.told(`notification/${notificationId}`)).toEqual(steps)
})

test('a worker that was thought dead and comes back after its lease does no harm', async () => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const { bank: inner } = bank
  const ask = inner.ask
  let isStalled = false
  inner.ask = (async (...args: Parameters<typeof ask>) => {
    const answer = await ask(...args)
    if (!isStalled) {
      isStalled = true
      await endLeases()
      await bank.deliver()
    }
    return answer
  }) as typeof ask
  await deliverNotifications.run(bankContext(inner))
  inner.ask = ask
  expect(isStalled).toBe(true)
  expect(await mails(notificationId)).toHaveLength(1)
  expect(await bank.told(`notification/${notificationId}`)).toEqual(steps)
})

test('four workers at once deliver everything once', async () => {
  const made = await Promise.all(Array.from({ length: 250 }, () => bank.notify({ ...ada })))
  const done = await Promise.all(Array.from({ length: 4 }, () => bank.deliver()))
  expect(done.reduce((sum, some) => sum + some)).toBe(250)
  for (const { data } of made) {
    expect(await mails(data.answer.notificationId)).toHaveLength(1)
  }
})

test('a cancellation between claim and commit wins, and the rest of the batch goes on', async () => {
  const cancelled = await bank.notify({ ...ada })
  const kept = await bank.notify({ ...ada })
  const halfway = await bank.notify({ ...ada })
  await bank.rows(
    `update notifications.notification
     set status = 'accepted', version = 2, provider = 'mailbox', rendered_body = 'B'
     where notification_id = $1`,
    [halfway.data.answer.notificationId],
  )
  const { bank: inner } = bank
  const ask = inner.ask
  inner.ask = (async (...args: Parameters<typeof ask>) => {
    await bank.execute(
      `mutation ($id: ID!) { cancelNotification(notificationId: $id) { status } }`,
      { id: cancelled.data.answer.notificationId },
    )
    return ask(...args)
  }) as typeof ask
  await deliverNotifications.run(bankContext(inner))
  inner.ask = ask
  const row = await bank.stored(cancelled.data.answer.notificationId)
  expect(row).toMatchObject({ status: 'suppressed', suppression_reason: 'cancelled' })
  expect(await mails(cancelled.data.answer.notificationId)).toEqual([])
  for (const { data } of [kept, halfway]) {
    expect((await bank.stored(data.answer.notificationId))['status']).toBe('delivered')
    expect(await mails(data.answer.notificationId)).toHaveLength(1)
  }
})

test('a party without an address in the graph is not written to', async () => {
  await bank.rows('insert into kernel.fact values ($1, 1, $2)', [
    'party/pty_gone',
    { partyId: 'pty_gone', ...reachable },
  ])
  const { data } = await bank.notify({ ...ada, partyId: 'pty_gone' })
  await bank.deliver()
  const row = await bank.stored(data.answer.notificationId)
  expect(row['suppression_reason']).toBe('no-verified-contact')
})

test('a wording that cuts a character in two, or makes one that nobody can store, holds nobody up', async () => {
  const variables = [{ name: 'name' }]
  const cut = { templateCode: 'cut', channel: 'SMS', status: 'active', variables }
  await bank.template({ ...cut, body: '{{ name | split: "" | last }}!{{ "%00" | url_decode }}' })
  const asked = { ...ada, channel: 'SMS' }
  const { data } = await bank.notify({
    ...asked,
    templateCode: 'cut',
    personalization: { name: 'Ada👍' },
  })
  const other = (await bank.notify(asked)).data.answer
  await bank.deliver()
  expect(await bank.stored(other.notificationId)).toMatchObject({ status: 'delivered' })
  expect(await bank.stored(data.answer.notificationId)).toMatchObject({
    status: 'delivered',
    rendered_body: '\uFFFD!',
  })
})
