/** What a page of the event log costs, in pages of the database, in a log of 20,000 events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventFilter } from '../../../kernel/domain/event-filter.ts'
import { declareEvents } from '../../../kernel/events/events.ts'
import { events } from '../../../subgraphs/events/index.ts'
import { feedQuery } from '../../../subgraphs/events/store/feed.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

declareEvents({
  'tests.feed.frequent': 'Something frequent happened.',
  'tests.feed.late': 'Something happened that is new.',
  'tests.feed.never': 'Something happened that never happens.',
})

const count = 20_000
const lateFrom = 18_000
const take = 11
/** Three levels of two indexes, and the row, for each event; plus as many for the types. */
const maxBuffers = 120

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(events)
  await bank.rows(
    `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
     select n, 'evt_' || n, case when n > $1 - 4 then 'tests.feed.undeclared'
       when n > $2 then 'tests.feed.late' else 'tests.feed.frequent' end,
       'thing/' || n % 1000, 1 + n / 1000, now(), '{}',
       case when n > $2 then array['pty_late', 'pty_' || n] else array['pty_old', 'pty_' || n] end, 'req', 'test'
     from generate_series(1, $1) n`,
    [count, lateFrom],
  )
  await bank.rows('update kernel.head set position = $1', [count])
  await bank.rows('analyze kernel.event, kernel.event_party')
})
afterAll(() => bank.drop())

const anyEvent: EventFilter = { types: null, subject: null }

/** Returns the number of database pages that are touched, with the plan for any values. */
async function buffersOf(filter: EventFilter, partyId: string | null, after: number) {
  const { sql, values } = feedQuery(aCaller(partyId ? { partyId } : {}), filter)
  const client = await bank.bank.pool.connect()
  try {
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [
      after,
      take,
      ...values,
    ])
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    return {
      rows: plan['Actual Rows'] as number,
      buffers: (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number),
    }
  } finally {
    client.release(true)
  }
}

describe('A page of the event log costs what it has, however long the log is', () => {
  test.each([
    ['of a party whose events are new, from the start', anyEvent, 'pty_late', 0, take],
    ['of a party whose events are old, from the end', anyEvent, 'pty_7', lateFrom, 0],
    ['of a party, of one type', { ...anyEvent, types: ['tests.feed.late'] }, 'pty_late', 0, take],
    ['of a type whose events are new', { ...anyEvent, types: ['tests.feed.late'] }, null, 0, take],
    [
      'of two types',
      { ...anyEvent, types: ['tests.feed.l*', 'tests.feed.late', 'tests.feed.never'] },
      null,
      0,
      take,
    ],
    ['of a pattern', { ...anyEvent, types: ['tests.feed.*'] }, null, 0, take],
    ['of a pattern without events', { ...anyEvent, types: ['tests.none.*'] }, null, 0, 0],
    ['of a record', { ...anyEvent, subject: 'thing/7' }, null, 0, take],
    ['of all', anyEvent, null, 0, take],
  ] as const)('%s', async (_, filter, partyId, after, rows) => {
    const page = await buffersOf(filter, partyId, after)
    // Without events, the statement returns one row: how far the archive reaches.
    expect(page.rows).toBe(Math.max(rows, 1))
    expect(page.buffers).toBeLessThan(maxBuffers)
  })
})

test('a page has the events that match all filters, in the order of the log', async () => {
  const query = `query ($types: [String!], $subject: String, $after: String) {
    businessEvents(types: $types, subject: $subject, after: $after, first: 3) {
      nodes { position } pageInfo { hasNextPage } } }`
  const page = async (variables: object, options?: object) => {
    const { data, errors } = await bank.execute(
      query,
      variables as Record<string, unknown>,
      options,
    )
    expect(errors).toEqual([])
    return data.businessEvents.nodes.map(({ position }: { position: string }) => Number(position))
  }
  const late = { caller: aCaller({ partyId: 'pty_late' }) }
  expect(await page({ after: '17999' })).toEqual([18000, 18001, 18002])
  expect(await page({ after: '17990', types: ['tests.feed.late'] })).toEqual([18001, 18002, 18003])
  expect(await page({ after: '17998', types: ['tests.feed.*'] })).toEqual([17999, 18000, 18001])
  // A process of a later release can emit types that this one does not declare.
  expect(await page({ after: '19995', types: ['tests.feed.*'] })).toEqual([19996, 19997, 19998])
  expect(await page({ after: '19995', types: ['tests.feed.*'] }, late)).toEqual([
    19996, 19997, 19998,
  ])
  expect(await page({ subject: 'thing/7', after: '17000' })).toEqual([17007, 18007, 19007])
  expect(await page({ subject: 'thing/7', types: ['tests.feed.late'] })).toEqual([18007, 19007])
  expect(await page({}, late)).toEqual([18001, 18002, 18003])
  expect(await page({ types: ['tests.feed.frequent'] }, late)).toEqual([])
  expect(await page({ subject: 'thing/7' }, late)).toEqual([18007, 19007])
  expect(await page({ subject: 'thing/7' }, { caller: aCaller({ partyId: 'pty_19007' }) })).toEqual(
    [19007],
  )
})

describe('A page costs the same when most events of a party are archived', () => {
  beforeAll(async () => {
    await bank.rows(
      `insert into kernel.event_segment (first_position, last_position, first_time, last_time,
         first_event_id, last_event_id, types, retained, object_key, bytes, sha256, previous_sha256)
       select n, n + 999, now(), now(), 'evt_', 'evt_z', '{}', '{}', 'events-' || n, 1, '', ''
       from generate_series(1, $1, 1000) n`,
      [lateFrom],
    )
    await bank.rows('delete from kernel.event where position <= $1', [lateFrom])
    await bank.rows('vacuum analyze kernel.event')
  })

  test.each([
    ['of a party whose events are archived', anyEvent, 'pty_old', 0],
    ['of a party whose events are new', anyEvent, 'pty_late', take],
    [
      'of a type whose events are archived',
      { ...anyEvent, types: ['tests.feed.frequent'] },
      null,
      0,
    ],
    ['of a record', { ...anyEvent, subject: 'thing/7' }, null, 2],
    ['of all', anyEvent, null, take],
  ] as const)('%s', async (_, filter, partyId, rows) => {
    const page = await buffersOf(filter, partyId, 0)
    expect(page.rows).toBe(Math.max(rows, 1))
    expect(page.buffers).toBeLessThan(maxBuffers)
  })
})
