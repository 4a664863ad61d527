import type pg from 'pg'
import { expect, test } from 'vitest'
import {
  id,
  instant,
  oneOf,
  orNull,
  record,
  amountMinor,
  listOf,
  whole,
} from '../../../subgraphs/_kernel/event-data.ts'
import { dataOf, declareEvents, withData } from '../../../subgraphs/_kernel/events.ts'

const state = orNull(oneOf(['open', 'closed']))
const data = record({ thingId: id, at: instant, amountMinor, state, counts: listOf(whole) })
declareEvents({ 'tests.thing.happened': 'A thing happened.' }, data)
declareEvents({ 'tests.thing.mentioned': 'Something was said, of any shape.' })

const good = {
  thingId: 'thg_1',
  at: new Date('2026-03-02T09:00:00Z'),
  amountMinor: 12n,
  state: null,
  counts: [1, 2],
}

test('data is told as JSON has it', () => {
  expect(dataOf({ type: 'tests.thing.happened', data: { ...good, left: undefined } })).toEqual({
    ...good,
    at: '2026-03-02T09:00:00.000Z',
    amountMinor: '12',
  })
  expect(dataOf({ type: 'tests.thing.mentioned', data: { any: [{ at: good.at }] } })).toEqual({
    any: [{ at: '2026-03-02T09:00:00.000Z' }],
  })
})

test.each([
  ['a member too few', { thingId: undefined }],
  ['a member too many', { name: 'Ada' }],
  ['another type', { counts: ['1'] }],
  ['another word', { state: 'ajar' }],
  ['no instant', { at: '2026-02-30T09:00:00Z' }],
  ['a fraction of a cent', { amountMinor: '1.5' }],
])('%s is our own mistake', (_what, wrong) => {
  const told = { type: 'tests.thing.happened', data: { ...good, ...wrong } }
  expect(() => dataOf(told)).toThrow(/The data of tests\.thing\.happened is not as declared/)
})

const written = new Map<string, Record<string, unknown>>([
  [
    'entry/1',
    { thingId: 'thg_1', at: '2026-03-02T09:00:00Z', amountMinor: '12', state: null, counts: [] },
  ],
  ['entry/2', { thingId: 'thg_2' }],
])
declareEvents({ 'tests.entry.written': 'It is in a book.' }, data, (_queries, subjects) =>
  Promise.resolve(
    new Map(subjects.flatMap((each) => (written.has(each) ? [[each, written.get(each)!]] : []))),
  ),
)
const nobody = { query: () => Promise.reject(new Error('asked')) } as unknown as pg.Pool

test('what a source has is not told again, and read there', async () => {
  expect(dataOf({ type: 'tests.entry.written', data: null })).toBeNull()
  expect(() => dataOf({ type: 'tests.entry.written', data: good })).toThrow(/is in its source/)
  expect(() => dataOf({ type: 'tests.thing.happened', data: null })).toThrow(/is in the log/)
  const event = (type: string, subject: string, said: unknown) => ({ type, subject, data: said })
  const events = [
    event('tests.thing.mentioned', 'thing/1', { any: 1 }),
    event('tests.entry.written', 'entry/1', null),
    // Told before there was a source.
    event('tests.entry.written', 'entry/0', { thingId: 'thg_0' }),
  ]
  expect((await withData(nobody, events)).map((each) => each.data)).toEqual([
    { any: 1 },
    written.get('entry/1'),
    { thingId: 'thg_0' },
  ])
})

test.each([
  ['another shape', 'entry/2'],
  ['nothing', 'entry/3'],
])('a source that has %s is our own mistake', async (_what, subject) => {
  const events = [{ type: 'tests.entry.written', subject, data: null }]
  await expect(withData(nobody, events)).rejects.toThrow(/is not as declared/)
})

test('an event is declared once, and told only when it is', () => {
  expect(() => dataOf({ type: 'tests.thing.unheard', data: {} })).toThrow(/No subgraph declares/)
  expect(() => declareEvents({ 'tests.thing.happened': 'Again.' })).toThrow(/declared twice/)
})
