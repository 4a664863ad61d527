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
  integer,
} from '../../../kernel/events/event-data.ts'
import { dataOf, declareEvents, withData } from '../../../kernel/events/events.ts'

const state = orNull(oneOf(['open', 'closed']))
const data = record({ thingId: id, at: instant, amountMinor, state, counts: listOf(integer) })
declareEvents({ 'tests.thing.happened': 'A thing happened.' }, data)
declareEvents({ 'tests.thing.mentioned': 'Something was said, of any shape.' })

const good = {
  thingId: 'thg_1',
  at: new Date('2026-03-02T09:00:00Z'),
  amountMinor: 12n,
  state: null,
  counts: [1, 2],
}

test('publishes event data in its JSON form', () => {
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
  ['a missing member', { thingId: undefined }],
  ['an unknown member', { name: 'Ada' }],
  ['a member of the wrong type', { counts: ['1'] }],
  ['an unknown enum value', { state: 'ajar' }],
  ['an invalid instant', { at: '2026-02-30T09:00:00Z' }],
  ['a fraction of a cent', { amountMinor: '1.5' }],
])('throws for event data with %s', (_what, wrong) => {
  const domainEvent = { type: 'tests.thing.happened', data: { ...good, ...wrong } }
  expect(() => dataOf(domainEvent)).toThrow(
    /The data of the event tests\.thing\.happened does not match its declaration/,
  )
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
const nobody = { query: () => Promise.reject(new Error('Unexpected query.')) } as unknown as pg.Pool

test('data of an event with a data source is not stored but read from the source', async () => {
  expect(dataOf({ type: 'tests.entry.written', data: null })).toBeNull()
  expect(() => dataOf({ type: 'tests.entry.written', data: good })).toThrow(/has a data source/)
  expect(() => dataOf({ type: 'tests.thing.happened', data: null })).toThrow(/has no data source/)
  const event = (type: string, subject: string, described: unknown) => ({
    type,
    subject,
    data: described,
  })
  const events = [
    event('tests.thing.mentioned', 'thing/1', { any: 1 }),
    event('tests.entry.written', 'entry/1', null),
    // Published before the event type had a data source.
    event('tests.entry.written', 'entry/0', { thingId: 'thg_0' }),
  ]
  expect((await withData(nobody, events)).map((each) => each.data)).toEqual([
    { any: 1 },
    written.get('entry/1'),
    { thingId: 'thg_0' },
  ])
})

test.each([
  ['data of another shape', 'entry/2'],
  ['no data', 'entry/3'],
])('throws for a data source that returns %s', async (_what, subject) => {
  const events = [{ type: 'tests.entry.written', subject, data: null }]
  await expect(withData(nobody, events)).rejects.toThrow(/does not match its declaration/)
})

test('throws for an undeclared event and for one declared twice', () => {
  expect(() => dataOf({ type: 'tests.thing.unheard', data: {} })).toThrow(/No subgraph declares/)
  expect(() => declareEvents({ 'tests.thing.happened': 'Again.' })).toThrow(/declared twice/)
})
