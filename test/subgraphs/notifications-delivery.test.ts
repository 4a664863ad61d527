import { afterAll, beforeAll, expect, test } from 'vitest'
import { aNotifier, countStatements, reachable, type Notifier } from './notifications-kit.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { deliverNotifications, leaseMs } from '../../subgraphs/notifications/delivery/worker.ts'
import { claimDue } from '../../subgraphs/notifications/store/notification.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
  await bank.party('pty_ada')
  await bank.wording({
    templateCode: 'welcome',
    channel: 'EMAIL',
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

test('renders a notification, delivers it to the mailbox and emits an event for each step', async () => {
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
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual(steps)
  const log = JSON.stringify((await bank.events()).map(({ data: domainEvent }) => domainEvent))
  expect(log).not.toMatch(/Lovelace|ada@example|nested/)
  expect(await bank.deliver()).toBe(0)
})

test('delivers in each channel, with a subject only for e-mail and secure messages', async () => {
  for (const channel of ['EMAIL', 'SMS', 'PUSH', 'SECURE_MESSAGE']) {
    const { data } = await bank.notify({ ...ada, channel, subject: 'Hello\r\nBcc: x@y.z' })
    await bank.deliver()
    const [mail] = await mails(data.answer.notificationId)
    const hasSubject = channel === 'EMAIL' || channel === 'SECURE_MESSAGE'
    expect(mail!['subject']).toBe(hasSubject ? 'Hello Bcc: x@y.z' : null)
    expect(data.answer.subject).toBe('Hello\r\nBcc: x@y.z')
  }
})

test('renders the message, else the subject, else a neutral sentence for a template without a body', async () => {
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

test('delivers a scheduled notification at its time', async () => {
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

test('suppresses a scheduled notification when consent is withdrawn before its time', async () => {
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

test('fails a notification that renders empty or too long for its channel, with the reason', async () => {
  await bank.wording({
    templateCode: 'long',
    channel: 'PUSH',
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

test('delivers 200 notifications once each, in order, in fewer than 25 statements', async () => {
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

// The column has milliseconds, so that the present instant may be rounded up into the future.
const endLeases = () =>
  bank.rows(`update notifications.notification set lease_until = now() - interval '1 second'
    where lease_id is not null`)

test('delivers the message of a dead worker once its lease has expired', async () => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const context = bankContext(bank.bank)
  const now = context.now()
  const claimed = await claimDue(context, { leaseId: 'dead', now, lengthMs: leaseMs }, 100)
  expect(claimed.map((each) => each.notificationId)).toEqual([notificationId])
  // Leases expire in real time: moving the sandbox clock has no effect on them.
  bank.clock.advance(leaseMs)
  expect(await bank.deliver()).toBe(0)
  await endLeases()
  expect(await bank.deliver()).toBe(1)
  expect(await mails(notificationId)).toHaveLength(1)
})

test.each([
  ['before the first commit', 'queued', 0],
  ['after accepted was committed', 'accepted', 0],
  ['after sent was committed', 'sent', 1],
])('neither loses nor duplicates a message after a crash %s', async (_when, state, mailsThen) => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const allowed = ['queued', 'accepted', 'sent'].indexOf(state)
  const { commits } = bank.bank
  const commit = commits.commit.bind(commits)
  let done = 0
  commits.commit = (prepared) => {
    if (done++ === allowed) throw new Error('killed')
    return commit(prepared)
  }
  await expect(deliverNotifications.run(bankContext(bank.bank))).rejects.toThrow('killed')
  commits.commit = commit
  expect((await bank.stored(notificationId))['status']).toBe(state)
  expect(await mails(notificationId)).toHaveLength(mailsThen)
  await endLeases()
  await bank.deliver()
  expect((await bank.stored(notificationId))['status']).toBe('delivered')
  expect(await mails(notificationId)).toHaveLength(1)
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual(steps)
})

test('delivers once when a worker presumed dead returns after its lease expired', async () => {
  const { data } = await bank.notify({ ...ada })
  const { notificationId } = data.answer
  const { bank: inner } = bank
  const queryGraph = inner.queryGraph
  let isStalled = false
  inner.queryGraph = (async (...args: Parameters<typeof queryGraph>) => {
    const answer = await queryGraph(...args)
    if (!isStalled) {
      isStalled = true
      await endLeases()
      await bank.deliver()
    }
    return answer
  }) as typeof queryGraph
  await deliverNotifications.run(bankContext(inner))
  inner.queryGraph = queryGraph
  expect(isStalled).toBe(true)
  expect(await mails(notificationId)).toHaveLength(1)
  expect(await bank.eventsOf(`notification/${notificationId}`)).toEqual(steps)
})

test('delivers everything once with four concurrent workers', async () => {
  const made = await Promise.all(Array.from({ length: 250 }, () => bank.notify({ ...ada })))
  const done = await Promise.all(Array.from({ length: 4 }, () => bank.deliver()))
  expect(done.reduce((sum, some) => sum + some)).toBe(250)
  for (const { data } of made) {
    expect(await mails(data.answer.notificationId)).toHaveLength(1)
  }
})

test('honors a cancellation between claim and commit, and delivers the rest of the batch', async () => {
  const cancelled = await bank.notify({ ...ada })
  const retained = await bank.notify({ ...ada })
  const halfway = await bank.notify({ ...ada })
  await bank.rows(
    `update notifications.notification
     set status = 'accepted', version = 2, provider = 'mailbox', rendered_body = 'B'
     where notification_id = $1`,
    [halfway.data.answer.notificationId],
  )
  const { bank: inner } = bank
  const queryGraph = inner.queryGraph
  inner.queryGraph = (async (...args: Parameters<typeof queryGraph>) => {
    await bank.execute(
      `mutation ($id: ID!) { cancelNotification(notificationId: $id) { status } }`,
      { id: cancelled.data.answer.notificationId },
    )
    return queryGraph(...args)
  }) as typeof queryGraph
  await deliverNotifications.run(bankContext(inner))
  inner.queryGraph = queryGraph
  const row = await bank.stored(cancelled.data.answer.notificationId)
  expect(row).toMatchObject({ status: 'suppressed', suppression_reason: 'cancelled' })
  expect(await mails(cancelled.data.answer.notificationId)).toEqual([])
  for (const { data } of [retained, halfway]) {
    expect((await bank.stored(data.answer.notificationId))['status']).toBe('delivered')
    expect(await mails(data.answer.notificationId)).toHaveLength(1)
  }
})

test('suppresses a notification to a party without an address', async () => {
  await bank.rows('insert into kernel.fact values ($1, 1, $2)', [
    'party/pty_gone',
    { partyId: 'pty_gone', ...reachable },
  ])
  const { data } = await bank.notify({ ...ada, partyId: 'pty_gone' })
  await bank.deliver()
  const row = await bank.stored(data.answer.notificationId)
  expect(row['suppression_reason']).toBe('no-verified-contact')
})

test('replaces broken and unstorable characters in a rendered body, without blocking other messages', async () => {
  const variables = [{ name: 'name' }]
  const cut = { templateCode: 'cut', channel: 'SMS', variables }
  await bank.wording({ ...cut, body: '{{ name | split: "" | last }}!{{ "%00" | url_decode }}' })
  const request = { ...ada, channel: 'SMS' }
  const { data } = await bank.notify({
    ...request,
    templateCode: 'cut',
    personalization: { name: 'Ada👍' },
  })
  const other = (await bank.notify(request)).data.answer
  await bank.deliver()
  expect(await bank.stored(other.notificationId)).toMatchObject({ status: 'delivered' })
  expect(await bank.stored(data.answer.notificationId)).toMatchObject({
    status: 'delivered',
    rendered_body: '\uFFFD!',
  })
})
