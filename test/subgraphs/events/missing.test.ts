import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'

let bank: PublishingBank
beforeAll(async () => {
  bank = await aPublishingBank()
})
afterAll(() => bank.drop())

test('reports ENDPOINT as missing while the client has no active endpoint', async () => {
  const options = { caller: aCaller({ clientId: 'deaf' }) }
  const subscriptionId = await bank.subscribe({ eventType: 'tests.thing.happened' }, options)
  const missing = async () => {
    const { data, errors } = await bank.execute(
      'query ($id: ID!) { eventSubscription(subscriptionId: $id) { missing } }',
      { id: subscriptionId },
      options,
    )
    expect(errors).toEqual([])
    return data.eventSubscription.missing
  }
  expect(await missing()).toEqual(['ENDPOINT'])
  await bank.register('http://127.0.0.1:9/others')
  expect(await missing()).toEqual(['ENDPOINT'])
  const { endpointId } = await bank.register('http://127.0.0.1:9/own', options)
  expect(await missing()).toEqual([])
  const sql = 'update events.endpoint set status = $2 where endpoint_id = $1'
  await bank.rows(sql, [endpointId, 'disabled'])
  expect(await missing()).toEqual(['ENDPOINT'])
  await bank.execute(
    'mutation ($id: ID!) { deleteEventSubscription(subscriptionId: $id) { status } }',
    { id: subscriptionId },
    options,
  )
  expect(await missing()).toEqual([])
})
