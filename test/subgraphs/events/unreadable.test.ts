import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declareEvents } from '../../../kernel/events/events.ts'
import { record, text } from '../../../kernel/events/event-data.ts'
import { eventually } from '../../kit/platform.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'
import { aReceiver, type Receiver } from './receiver.ts'

declareEvents(
  { 'tests.thing.written': 'What it says is written elsewhere.' },
  record({ described: text }),
  (_, subjects) =>
    Promise.resolve(
      new Map(
        subjects.map((subject) => [subject, subject.endsWith('torn') ? {} : { described: 'x' }]),
      ),
    ),
)

let bank: PublishingBank
let receiver: Receiver
beforeAll(async () => {
  bank = await aPublishingBank()
  receiver = await aReceiver()
})
afterAll(async () => {
  await bank.drop()
  await receiver.close()
})

test('retries an event whose data cannot be read, without blocking others', async () => {
  await bank.subscribe()
  const { endpointId } = await bank.register(receiver.url)
  await bank.emit('torn', null, 'tests.thing.written')
  await bank.emit('whole', null, 'tests.thing.written')
  await bank.emit('other')
  await eventually(() => receiver.got.length === 2, 10_000)
  const subjects = new Set(receiver.got.map(({ event }) => event.subject))
  expect(subjects).toEqual(new Set(['thing/other', 'thing/whole']))
  const [torn] = (await bank.settled(endpointId)).filter(({ status }) => status !== 'DELIVERED')
  expect(torn).toMatchObject({
    status: 'RETRYING',
    attempts: [{ statusCode: null, error: 'The data of the event could not be read.' }],
  })
})
