import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '../../../kernel/domain/dates.ts'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { aPlatform, eventually, type Platform } from '../../kit/platform.ts'

let bank: SampleBank
let other: Platform
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  // Another process on the same database, as far as the clock can tell.
  other = await aPlatform('sandbox', bank.bank.pool.options.connectionString)
})
afterAll(async () => {
  await other.stop()
  await bank.stop()
})

const document = 'mutation ($to: DateTime!) { advanceClock(to: $to) { name now businessDate } }'
const advance = (to: string, options = {}) => bank.graph(document, { to }, options)
const inDays = (days: number) => new Date(bank.bank.now().getTime() + days * dayMs).toISOString()
const codeOf = ({ body }: { body: any }): string => body.errors[0].extensions.code

async function stored(): Promise<{ offset_ms: string; version: number; advances: number }> {
  const { rows } = await bank.bank.pool.query(
    `select offset_ms, version, (select count(*)::int from kernel.event
       where type = 'operations.clock.advanced') + (select count(*)::int from kernel.outbox,
         json_populate_recordset(null::kernel.emitted_event, events) t where t.type = 'operations.clock.advanced') as advances
     from kernel.clock`,
  )
  return rows[0]
}

test('moves the clock here at once and in other processes soon, and sends what is due', async () => {
  const { notification } = await bank.act(
    `mutation ($sendAt: DateTime!) { notification: createNotification(input: { partyId: "pty_ada",
      channel: EMAIL, templateCode: "welcome", sendAt: $sendAt }) { notificationId status } }`,
    { sendAt: inDays(30) },
  )
  expect(notification.status).toBe('QUEUED')
  const to = inDays(31)
  const { body } = await advance(to)
  expect(body).toEqual({
    data: { advanceClock: { name: 'SANDBOX', now: to, businessDate: to.slice(0, 10) } },
  })
  expect(bank.bank.now().toISOString() >= to).toBe(true)
  await eventually(() => other.bank.now().toISOString() >= to)
  const query = `{ notification(notificationId: "${notification.notificationId}") { status } }`
  await eventually(async () => {
    const answer = await bank.graph(query)
    return answer.body.data.notification.status === 'DELIVERED'
  })
  const { body: shown } = await other.graph('{ environment { name now businessDate } }')
  expect(shown.data.environment.now >= to).toBe(true)
})

test('wakes a resting worker when the clock moves', async () => {
  const customer = { customerId: 'cus_lapses' }
  await bank.act(
    `mutation ($customerId: ID!) {
      createCustomer(input: { customerId: $customerId, partyId: "pty_ada" }) { kycState } }`,
    customer,
  )
  await bank.act(
    'mutation ($customerId: ID!) { startKyc(customerId: $customerId) { kycState } }',
    customer,
  )
  await bank.act(
    `mutation ($customerId: ID!, $expiresOn: Date!) {
      passKyc(customerId: $customerId, expiresOn: $expiresOn) { kycState } }`,
    { ...customer, expiresOn: inDays(39).slice(0, 10) },
  )
  await advance(inDays(41))
  await eventually(async () => {
    const { body } = await bank.graph('{ customer(customerId: "cus_lapses") { kycState } }')
    return body.data.customer.kycState === 'EXPIRED'
  })
})

test('emits one event per move and replays the response', async () => {
  const to = inDays(1)
  const first = await advance(to, { key: 'move-1' })
  const again = await advance(to, { key: 'move-1' })
  expect(again.text).toBe(first.text)
  const { rows } = await eventually(async () => {
    const found = await bank.bank.pool.query(
      `select data, parties from kernel.event where type = 'operations.clock.advanced'
       and subject = 'clock/sandbox' and data ->> 'to' = $1`,
      [to],
    )
    return found.rows.length > 0 && found
  })
  const { aheadMs } = bank.bank.clock
  expect(rows).toEqual([{ data: { from: expect.any(String), to, aheadMs }, parties: [] }])
})

test('keeps idempotency keys and tokens on real time', async () => {
  const { rows } = await bank.bank.pool.query(
    `select abs(extract(epoch from now() - created_at)) as age from kernel.idempotency`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { age } of rows) expect(Number(age)).toBeLessThan(60)
  const short = bank.token({ ttlSeconds: 60 })
  expect((await advance(inDays(1), { token: short })).status).toBe(200)
  const { status } = await bank.graph('{ environment { now } }', {}, { token: short })
  expect(status).toBe(200)
})

test.each([
  ['the present', () => inDays(0), 'CLOCK_OUT_OF_RANGE'],
  ['yesterday', () => inDays(-1), 'CLOCK_OUT_OF_RANGE'],
  ['real time, once the clock is ahead', () => new Date().toISOString(), 'CLOCK_OUT_OF_RANGE'],
  ['the end of the year 9999', () => '9999-12-31T23:59:59Z', 'CLOCK_OUT_OF_RANGE'],
  ['an invalid date', () => '2026-02-30T00:00:00Z', 'VALIDATION_FAILED'],
])('rejects a move to %s', async (_name, to, code) => {
  const before = await stored()
  expect(codeOf(await advance(to()))).toBe(code)
  expect(await stored()).toEqual(before)
})

test('denies delegated users and tokens without the scope', async () => {
  const before = await stored()
  const ada = bank.token({ partyId: 'pty_ada' })
  expect(codeOf(await advance(inDays(1), { token: ada }))).toBe('INSUFFICIENT_SCOPE')
  const reader = bank.token({ scopes: ['operations:read'] })
  expect(codeOf(await advance(inDays(1), { token: reader }))).toBe('INSUFFICIENT_SCOPE')
  expect(await stored()).toEqual(before)
})

test('serializes concurrent moves; the furthest accepted one sets the clock', async () => {
  const before = await stored()
  const times = [5, 1, 4, 2, 3, 6].map(inDays)
  const answers = await Promise.all(
    times.map((to, at) => (at % 2 ? other : bank).graph(document, { to })),
  )
  const accepted = times.filter((_, at) => !answers[at]!.body.errors)
  for (const answer of answers.filter(({ body }) => body.errors)) {
    expect(['CLOCK_OUT_OF_RANGE', 'VERSION_CONFLICT']).toContain(codeOf(answer))
  }
  expect(accepted.length).toBeGreaterThan(0)
  const furthest = accepted.toSorted().at(-1)!
  await bank.bank.clock.refresh()
  const shownMs = bank.bank.now().getTime() - Date.parse(furthest)
  expect(shownMs).toBeGreaterThanOrEqual(0)
  expect(shownMs).toBeLessThan(10_000)
  expect((await stored()).version).toBe(before.version + accepted.length)
  await eventually(async () => {
    const { rows } = await bank.bank.pool.query<{ to: string }>(
      `select data ->> 'to' as to from kernel.event where subject = 'clock/sandbox'
       order by position desc limit ${accepted.length}`,
    )
    return rows.map(({ to }) => to).toString() === accepted.toSorted().toReversed().toString()
  })
})

test('the live clock is real time and cannot be moved', async () => {
  const live = await aPlatform('live')
  const to = new Date(Date.now() + dayMs).toISOString()
  const answer = await live.graph(document, { to })
  expect(codeOf(answer)).toBe('CLOCK_NOT_MOVABLE')
  expect(Math.abs(live.bank.now().getTime() - Date.now())).toBeLessThan(1000)
  const { body } = await live.graph('{ environment { name } }')
  expect(body.data.environment.name).toBe('LIVE')
  await live.stop()
})
