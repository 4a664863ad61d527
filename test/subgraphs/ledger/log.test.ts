/** The batcher appends posting events to the log itself: after those in the outbox, and each once. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composites, textArray } from '../../../kernel/writing/composites.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
})
afterAll(() => bank.drop())

let serial = 0

/** Leaves an event for the sequencer, as a command does. */
async function appendToOutbox(): Promise<string> {
  const subject = `thing/${++serial}`
  const event = {
    event_id: `evt_${serial}`,
    type: 'tests.thing.told',
    subject,
    subject_version: 1,
    ordinal: 0,
    time: '2026-03-02T09:00:00.000Z',
    data: {},
    parties: [],
    correlation_id: 'test',
    actor: 'test',
  }
  await bank.rows('insert into kernel.outbox (event_count, events) values (1, $1::json)', [
    JSON.stringify([event]),
  ])
  return subject
}

async function logged(): Promise<string[]> {
  const rows = await bank.rows('select position::int as at, subject from kernel.event order by 1')
  expect(rows.map(({ at }) => at)).toEqual(rows.map((_, index) => index + 1))
  return rows.map(({ subject }) => subject as string)
}

async function posted(testBank: Pick<RunningSubgraph, 'execute'> = bank): Promise<string> {
  const { data, errors } = await post(testBank as RunningSubgraph, pay('arr_ada', '1.00'))
  expect(errors).toEqual([])
  return `posting-instruction/${data.createPostingInstruction.postingInstructionId}`
}

test('puts events that were emitted before a posting ahead of it in the log', async () => {
  const before = [await appendToOutbox(), await appendToOutbox()]
  const one = await posted()
  const between = await appendToOutbox()
  expect(await logged()).toEqual([...before, one])
  expect(await logged()).not.toContain(between)
  const other = await posted()
  expect(await logged()).toEqual([...before, one, between, other])
})

test('logs every event once and without gaps under two processes, a sequencer and an outbox', async () => {
  const other = bank.another()
  const known = await logged()
  const pairs = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      if (at % 4 === 0) await bank.rows('select kernel.sequence_events(3)')
      return [await appendToOutbox(), await posted(at % 2 ? bank : other)]
    }),
  )
  await bank.rows('select kernel.sequence_events(1000)')
  const found = await logged()
  expect(found.slice(known.length).toSorted()).toEqual(pairs.flat().toSorted())
  for (const [first, then] of pairs)
    expect(found.indexOf(first!)).toBeLessThan(found.indexOf(then!))
})

test('round-trips rows and texts with any content', async () => {
  const field = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  const tricky = fc.oneof(
    field,
    fc.constantFrom('', '"', '\\', '\\"', '(,)', '{}', "'", ' ', 'null'),
  )
  const row = fc.tuple(tricky, tricky, tricky)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      const fields = rows.map(([a, b, c]) => [a, b, c, new Date(0), null, 7n])
      const read = await bank.rows(
        'select event_id, type, subject, correlation_id, actor from unnest($1::kernel.headline[])',
        [composites(fields)],
      )
      expect(read.map((each) => Object.values(each))).toEqual(
        // An empty text reads back as an empty text: only null is encoded as nothing.
        rows.map((each) => [...each, null, '7']),
      )
      const [texts] = await bank.rows('select $1::text[] as texts', [textArray(rows.flat())])
      expect(texts!['texts']).toEqual(rows.flat())
    }),
    { numRuns: 60 },
  )
})
