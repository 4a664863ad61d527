import 'reflect-metadata'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext, startWorkers } from '../../../subgraphs/_kernel/worker.ts'
import { disableEndpoint } from '../../../subgraphs/events/endpoint-commands.ts'
import { deliverWebhooks } from '../../../subgraphs/events/delivery/deliverer.ts'
import { planDeliveries } from '../../../subgraphs/events/store/plan.ts'
import { claimDeliveries, land, type Landing } from '../../../subgraphs/events/store/flight.ts'
import { eventually } from '../../kit/platform.ts'
import { aTeller, type Teller } from './kit.ts'
import { aReceiver, type Receiver } from './receiver.ts'

let bank: Teller
let shop: Receiver
beforeAll(async () => {
  // Four programs that share a database are four deliverers.
  bank = await aTeller(4)
  shop = await aReceiver()
})
afterAll(async () => {
  await bank.drop()
  await shop.close()
})

test('four deliverers send each event once, in the order of its subject', async () => {
  await bank.subscribe()
  const { endpointId } = await bank.register(shop.url)
  let most = 0
  const now: string[] = []
  const together = new Set<string>()
  shop.answer(async ({ event }, response) => {
    if (now.includes(event.subject)) together.add(event.subject)
    now.push(event.subject)
    most = Math.max(most, now.length)
    await sleep(Math.random() * 10)
    now.splice(now.indexOf(event.subject), 1)
    response.writeHead(200).end()
  })
  // All of it waits already when the first is sent: what may go side by side does.
  const hold = (until: string) => bank.rows(`update events.endpoint set held_until = ${until}`)
  await hold("'infinity'")
  for (let at = 0; at < 20; at++) {
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((thing) => bank.tell(thing, { at })))
  }
  await eventually(async () => {
    const [row] = await bank.rows('select count(*)::int as planned from events.delivery')
    return row!['planned'] === 120
  })
  await hold('null')
  await bank.settled(endpointId)
  expect(shop.got).toHaveLength(120)
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const own = shop.got.filter(({ event }) => event.subject === `thing/${subject}`)
    expect(own.map(({ event }) => event.data.at)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  }
  // The next of a subject is not sent before the one before it was answered; other subjects are.
  expect([...together]).toEqual([])
  expect(most).toBeGreaterThan(1)
  await bank.execute('mutation ($id: ID!) { deleteWebhookEndpoint(endpointId: $id) { status } }', {
    id: endpointId,
  })
})

test('who lost the lease of a delivery says nothing about it', async () => {
  const slow = await aReceiver(() => undefined)
  const alone = await aTeller(0)
  await alone.subscribe()
  await alone.register(slow.url)
  await alone.tell('stalled')
  const context = bankContext(alone.bank)
  const [held] = await eventually(async () => {
    const claimed = await claimDeliveries(context, 'first', 10)
    return claimed.length > 0 && claimed
  })
  expect(await claimDeliveries(context, 'second', 10)).toEqual([])
  await alone.rows("update events.delivery set lease_until = now() - interval '1 second'")
  const [taken] = await claimDeliveries(context, 'second', 10)
  expect(taken!.deliveryId).toBe(held!.deliveryId)
  const landing: Landing = {
    flight: held!,
    status: 'delivered',
    step: 0,
    nextAt: null,
    retryAfter: null,
    isGone: false,
    at: context.now(),
    durationMs: 1,
    statusCode: 200,
    error: null,
    response: null,
    heldUntil: null,
  }
  expect(await land(context, [landing])).toBe(0)
  expect(await alone.rows('select status, attempts from events.delivery')).toEqual([
    { status: 'pending', attempts: 0 },
  ])
  expect(await land(context, [{ ...landing, flight: taken! }])).toBe(1)
  expect(await alone.rows('select number, status_code from events.attempt')).toEqual([
    { number: 1, status_code: 200 },
  ])
  await alone.drop()
  await slow.close()
})

test('a stop gives back what is under way, and it goes out after the next start', async () => {
  const stuck = await aReceiver(() => undefined)
  const alone = await aTeller(0)
  await alone.subscribe()
  const { endpointId } = await alone.register(stuck.url)
  await alone.tell('stopped')
  const first = startWorkers(alone.bank, [deliverWebhooks])
  await eventually(() => stuck.got.length === 1)
  await first.stop()
  const state = 'select status, attempts, lease_id from events.delivery'
  expect(await alone.rows(state)).toEqual([{ status: 'pending', attempts: 0, lease_id: null }])
  stuck.answer((_got, response) => response.writeHead(200).end())
  const second = startWorkers(alone.bank, [deliverWebhooks])
  const [delivery] = await alone.settled(endpointId)
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ number: 1 }] })
  expect(stuck.got).toHaveLength(2)
  expect(stuck.got[0]!.headers['webhook-id']).toBe(stuck.got[1]!.headers['webhook-id'])
  await second.stop()
  await alone.drop()
  await stuck.close()
})

test('two planners plan an event once', async () => {
  const alone = await aTeller(0)
  await alone.subscribe()
  const { endpointId } = await alone.register(shop.url)
  const context = bankContext(alone.bank)
  const things = Array.from({ length: 50 }, (_, at) => `planned-${at}`)
  const telling = Promise.all(things.map((thing) => alone.tell(thing)))
  let isTelling = true
  const planning = [1, 2, 3].map(async () => {
    while (isTelling) await planDeliveries(context, 7)
  })
  await telling
  await eventually(async () => {
    const [row] = await alone.rows(
      'select count(*)::int as planned from events.delivery where endpoint_id = $1',
      [endpointId],
    )
    return row!['planned'] >= 50
  })
  isTelling = false
  await Promise.all(planning)
  expect(
    await alone.rows(
      'select count(*)::int as all, count(distinct position)::int as distinct from events.delivery',
    ),
  ).toEqual([{ all: 50, distinct: 50 }])
  await alone.drop()
})

test('an endpoint is disabled for what it does now, not for what was remembered of it', async () => {
  const context = bankContext(bank.bank)
  const { endpointId } = await bank.register(shop.url)
  const endpoint = { endpointId, url: shop.url }
  const status = async () => (await bank.endpoint(endpointId)).status
  const failingSince = (sql: string) =>
    bank.rows(`update events.endpoint set failing_since = ${sql} where endpoint_id = $1`, [
      endpointId,
    ])
  // It answered since the request that failed.
  await disableEndpoint(context, endpoint, 'failing')
  expect(await status()).toBe('ACTIVE')
  await failingSince(`'${bank.bank.now().toISOString()}'::timestamptz - interval '6 days'`)
  await disableEndpoint(context, { endpointId, url: 'http://elsewhere.test/' }, 'gone')
  expect(await status()).toBe('ACTIVE')
  // It answers between the decision and the commit.
  let isDone = false
  const commits = {
    async commit(statement: Parameters<typeof bank.bank.commits.commit>[0]) {
      if (!isDone) {
        isDone = true
        await failingSince('null')
      }
      return bank.bank.commits.commit(statement)
    },
  }
  const interrupted = { ...bank.bank, commits: commits as typeof bank.bank.commits }
  await disableEndpoint(bankContext(interrupted), endpoint, 'failing')
  expect([isDone, await status()]).toEqual([true, 'ACTIVE'])
  await failingSince(`'${bank.bank.now().toISOString()}'::timestamptz - interval '6 days'`)
  await disableEndpoint(context, endpoint, 'failing')
  expect(await status()).toBe('DISABLED')
})
