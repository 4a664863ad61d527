import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, anAgent, bank, createProfile, doing, openBank, told, unique } from './kit.ts'

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

describe('the default queue', () => {
  test('is created once, with its event, however many profiles need it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => createProfile(`name: "${unique('Race')}"`)),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    const rows = await bank.rows(`select name from channels.queue where queue_id = 'que_default'`)
    expect(rows).toEqual([{ name: 'Default' }])
    expect(await told('queue/que_default')).toEqual(['channels.queue.created'])
  })

  test('is answered over the channels the profile handles', async () => {
    const { data } = await createProfile(`name: "${unique('Voice')}", ${voice}`)
    expect(data.act.queues).toMatchObject([{ queueId: 'que_default', channel: 'VOICE' }])
  })

  test('is used by an update that omits the queues, as by a new profile', async () => {
    const id = await idOf(`queues: [], ${voice}`)
    expect(await missing(id)).toEqual(['QUEUE', 'AGENT'])
    const { queues } = await act(
      `updateRoutingProfile(input: { routingProfileId: "${id}", name: "${unique('Team')}" }) {
        queues { queueId } }`,
    )
    expect(new Set(queues.map((each: any) => each.queueId))).toEqual(new Set(['que_default']))
  })

  test('does not hide another queue that does not exist', async () => {
    const content = `queues: [{ queueId: "que_default", channel: VOICE },
      { queueId: "que_none", channel: VOICE }], ${voice}`
    const { code } = await createProfile(`name: "${unique('Team')}", ${content}`)
    expect(code).toBe('QUEUE_NOT_FOUND')
  })
})

test('a bank that creates the default queue itself keeps its own', async () => {
  await bank.rows(`delete from channels.queue where queue_id = 'que_default'`)
  await act('createRoutingQueue(input: { queueId: "que_default", name: "Ours" }) { queueId }')
  await idOf('')
  const rows = await bank.rows(`select name from channels.queue where queue_id = 'que_default'`)
  expect(rows).toEqual([{ name: 'Ours' }])
})

describe('what a profile is missing', () => {
  const queue = async () => {
    const queueId = unique('que')
    await act(
      `createRoutingQueue(input: { queueId: "${queueId}", name: "${queueId}" }) { queueId }`,
    )
    return queueId
  }

  test('is an agent, its own or one of another active profile that answers the queue', async () => {
    const queueId = await queue()
    const answering = `queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`
    const [one, other] = [await idOf(answering), await idOf(`${answering}, status: "draft"`)]
    expect(await missing(one)).toEqual(['AGENT'])
    await anAgent('offline', other)
    expect(await missing(one)).toEqual(['AGENT'])
    expect(await missing(other)).toEqual(['ACTIVATION'])
    await doing('activateRoutingProfile(routingProfileId: $id) { status }', { id: other })
    expect([await missing(one), await missing(other)]).toEqual([[], []])
  })

  test('is not supplied by an agent who answers the queue over another channel', async () => {
    const queueId = await queue()
    const one = await idOf(`queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`)
    const other = await idOf(`queues: [{ queueId: "${queueId}", channel: CHAT }]
      mediaConcurrencies: [{ channel: CHAT, concurrency: 1 }]`)
    await anAgent('available', other)
    expect(await missing(one)).toEqual(['AGENT'])
  })

  test('counts a queue for outbound work', async () => {
    const queueId = await queue()
    const id = await idOf(`queues: [], ${voice}, defaultOutboundQueueId: "${queueId}"`)
    expect(await missing(id)).toEqual(['AGENT'])
    await anAgent(
      'available',
      await idOf(`queues: [{ queueId: "${queueId}", channel: VOICE }], ${voice}`),
    )
    expect(await missing(id)).toEqual([])
  })

  test('is nothing once it is archived', async () => {
    const id = await idOf('queues: []')
    for (const name of ['deactivateRoutingProfile', 'archiveRoutingProfile']) {
      await act(`${name}(routingProfileId: $id) { status }`, { id })
    }
    expect(await missing(id)).toEqual([])
  })
})
