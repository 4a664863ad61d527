import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mutate,
  anAgent,
  bank,
  createProfile,
  tryMutation,
  openBank,
  eventsOf,
  unique,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const voice = 'mediaConcurrencies: [{ channel: VOICE, concurrency: 1 }]'
const missing = async (routingProfileId: string) => {
  const query = 'query ($id: ID!) { routingProfile(routingProfileId: $id) { missing } }'
  const { data, errors } = await bank.execute(query, { id: routingProfileId })
  expect(errors).toEqual([])
  return data.routingProfile.missing
}
const idOf = async (content: string): Promise<string> => {
  const { data, errors } = await createProfile(`name: "${unique('Team')}" ${content}`)
  expect(errors).toEqual([])
  return data.act.routingProfileId
}

describe('Default queue', () => {
  test('is created once, with one event, when several profiles need it concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => createProfile(`name: "${unique('Race')}"`)),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    const rows = await bank.rows(`select name from channels.queue where queue_id = 'que_default'`)
    expect(rows).toEqual([{ name: 'Default' }])
    expect(await eventsOf('queue/que_default')).toEqual(['channels.queue.created'])
  })

  test('is served over the channels that the profile handles', async () => {
    const { data } = await createProfile(`name: "${unique('Voice')}", ${voice}`)
    expect(data.act.queues).toMatchObject([{ queueId: 'que_default', channel: 'VOICE' }])
  })

  test('is assigned by an update that omits the queues', async () => {
    const id = await idOf(`queues: [], ${voice}`)
    expect(await missing(id)).toEqual(['QUEUE', 'AGENT'])
    const { queues } = await mutate(
      `updateRoutingProfile(input: { routingProfileId: "${id}", name: "${unique('Team')}" }) {
        queues { queueId } }`,
    )
    expect(new Set(queues.map((each: any) => each.queueId))).toEqual(new Set(['que_default']))
  })

  test('is not used in place of another unknown queue', async () => {
    const content = `queues: [{ queueId: "que_default", channel: VOICE },
      { queueId: "que_none", channel: VOICE }], ${voice}`
    const { code } = await createProfile(`name: "${unique('Team')}", ${content}`)
    expect(code).toBe('QUEUE_NOT_FOUND')
  })
})

test('keeps an existing queue with the id of the default queue', async () => {
  await bank.rows(`delete from channels.queue where queue_id = 'que_default'`)
  await mutate('createRoutingQueue(input: { queueId: "que_default", name: "Ours" }) { queueId }')
  await idOf('')
  const rows = await bank.rows(`select name from channels.queue where queue_id = 'que_default'`)
  expect(rows).toEqual([{ name: 'Ours' }])
})

describe('Missing parts of a routing profile', () => {
  const queue = async () => {
    const queueId = unique('que')
    await mutate(
      `createRoutingQueue(input: { queueId: "${queueId}", name: "${queueId}" }) { queueId }`,
    )
    return queueId
  }

  test('reports AGENT until an active profile with an agent serves the queue', async () => {
    const queueId = await queue()
    const answering = `queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`
    const [one, other] = [await idOf(answering), await idOf(`${answering}, status: "draft"`)]
    expect(await missing(one)).toEqual(['AGENT'])
    await anAgent('offline', other)
    expect(await missing(one)).toEqual(['AGENT'])
    expect(await missing(other)).toEqual(['ACTIVATION'])
    await tryMutation('activateRoutingProfile(routingProfileId: $id) { status }', { id: other })
    expect([await missing(one), await missing(other)]).toEqual([[], []])
  })

  test('reports AGENT when an agent serves the queue only over another channel', async () => {
    const queueId = await queue()
    const one = await idOf(`queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`)
    const other = await idOf(`queues: [{ queueId: "${queueId}", channel: CHAT }]
      mediaConcurrencies: [{ channel: CHAT, concurrency: 1 }]`)
    await anAgent('available', other)
    expect(await missing(one)).toEqual(['AGENT'])
  })

  test('treats the outbound queue as a queue', async () => {
    const queueId = await queue()
    const id = await idOf(`queues: [], ${voice}, defaultOutboundQueueId: "${queueId}"`)
    expect(await missing(id)).toEqual(['AGENT'])
    await anAgent(
      'available',
      await idOf(`queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`),
    )
    expect(await missing(id)).toEqual([])
  })

  test('reports nothing for an archived profile', async () => {
    const id = await idOf('queues: []')
    for (const name of ['deactivateRoutingProfile', 'archiveRoutingProfile']) {
      await mutate(`${name}(routingProfileId: $id) { status }`, { id })
    }
    expect(await missing(id)).toEqual([])
  })
})
