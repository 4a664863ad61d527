import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aClient, type Client } from './clients.ts'
import { aPublishingBank, clientScopes, otherClient, type PublishingBank } from './kit.ts'

let bank: PublishingBank
let client: Client
beforeAll(async () => {
  bank = await aPublishingBank()
  client = await aClient(bank)
  await bank.emit('o-1')
  await client.settled()
})
afterAll(async () => {
  await bank.drop()
  await client.dependencies.close()
})

const operator = {
  caller: aCaller({ clientId: 'operator', scopes: [...clientScopes, 'operations:manage'] }),
}
const reader = {
  caller: aCaller({ clientId: 'reader', scopes: [...clientScopes, 'operations:read'] }),
}
const listOfAll =
  '{ webhookEndpoints(ofAllClients: true) { nodes { endpointId clientId deliveries { nodes { deliveryId } } } } }'

test('operations:read shows the endpoints and deliveries of every client', async () => {
  const { data } = await bank.execute(listOfAll, {}, reader)
  const [endpoint] = data.webhookEndpoints.nodes
  expect(endpoint).toMatchObject({
    endpointId: client.endpointId,
    clientId: client.options.caller.clientId,
  })
  const [delivery] = endpoint.deliveries.nodes
  const read = `query ($id: ID!) { webhookDelivery(deliveryId: $id) { endpoint { endpointId } } }`
  const answer = await bank.execute(read, { id: delivery.deliveryId }, reader)
  expect(answer.data.webhookDelivery.endpoint.endpointId).toBe(client.endpointId)
})

test('the list of all clients requires operations:read, and the own list stays the own', async () => {
  const answer = await bank.execute(listOfAll, {}, otherClient)
  expect(answer.code).toBe('INSUFFICIENT_SCOPE')
  const own = '{ webhookEndpoints { nodes { endpointId } } }'
  expect((await bank.execute(own, {}, reader)).data.webhookEndpoints.nodes).toEqual([])
})

const mutation = (name: string) =>
  `mutation ($id: ID!) { answer: ${name}(endpointId: $id) { status } }`
const replay =
  'mutation ($id: ID!, $ids: [ID!]!) { answer: replayWebhookDeliveries(input: { endpointId: $id, eventIds: $ids }) { planned } }'

test('operations:manage tests, enables and replays the endpoint of another client', async () => {
  const id = client.endpointId
  const [row] = await bank.rows("select event_id from kernel.event where subject = 'thing/o-1'")
  const replayed = await bank.execute(replay, { id, ids: [row!['event_id']] }, operator)
  expect(replayed.data.answer.planned).toBe(1)
  await client.settled()
  const got = client.dependencies.got.filter(({ event }) => event.subject === 'thing/o-1')
  expect(got).toHaveLength(2)
  const tested = await bank.execute(mutation('testWebhookEndpoint'), { id }, operator)
  expect(tested.data.answer.status).toBe('ACTIVE')
  await bank.rows("update events.endpoint set status = 'disabled' where endpoint_id = $1", [id])
  const enabled = await bank.execute(mutation('enableWebhookEndpoint'), { id }, operator)
  expect(enabled.data.answer.status).toBe('ACTIVE')
})

test('nobody else reads a secret, deletes, or operates the endpoint of another client', async () => {
  const id = client.endpointId
  const refused = [
    [mutation('deleteWebhookEndpoint'), operator],
    [
      'mutation ($id: ID!) { answer: rotateWebhookSecret(input: { endpointId: $id }) { secret } }',
      operator,
    ],
    [mutation('testWebhookEndpoint'), reader],
    [mutation('enableWebhookEndpoint'), reader],
  ] as const
  for (const [document, options] of refused) {
    expect((await bank.execute(document, { id }, options)).code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
  }
  const answer = await bank.execute(replay, { id, ids: ['evt_1'] }, reader)
  expect(answer.code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
})
