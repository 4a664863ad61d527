import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declareEvents } from '../../../subgraphs/_kernel/events.ts'
import { record, text } from '../../../subgraphs/_kernel/event-data.ts'
import { eventually } from '../../kit/platform.ts'
import { aTeller, type Teller } from './kit.ts'
import { aReceiver, type Receiver } from './receiver.ts'

declareEvents(
  { 'tests.thing.written': 'What it says is written elsewhere.' },
  record({ said: text }),
  (_, subjects) =>
    Promise.resolve(
      new Map(subjects.map((subject) => [subject, subject.endsWith('torn') ? {} : { said: 'x' }])),
    ),
)

let bank: Teller
let shop: Receiver
beforeAll(async () => {
  bank = await aTeller()
  shop = await aReceiver()
})
afterAll(async () => {
  await bank.drop()
  await shop.close()
})

test('an event that cannot be read any more keeps no others from going out', async () => {
  await bank.subscribe()
  const { endpointId } = await bank.register(shop.url)
  await bank.tell('torn', null, 'tests.thing.written')
  await bank.tell('whole', null, 'tests.thing.written')
  await bank.tell('other')
  await eventually(() => shop.got.length === 2, 10_000)
  const subjects = new Set(shop.got.map(({ event }) => event.subject))
  expect(subjects).toEqual(new Set(['thing/other', 'thing/whole']))
  const [torn] = (await bank.settled(endpointId)).filter(({ status }) => status !== 'DELIVERED')
  expect(torn).toMatchObject({
    status: 'RETRYING',
    attempts: [{ statusCode: null, error: 'The data of the event could not be read.' }],
  })
})
