/** The desk puts its events into the log itself: behind what waits there, each once, whoever else is at it. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composites, textArray } from '../../../subgraphs/_kernel/composites.ts'
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

/** An event as a command leaves it for the sequencer. */
async function tellInOutbox(): Promise<string> {
  const subject = `thing/${++serial}`
  const told = {
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
  await bank.rows('insert into kernel.outbox (told, events) values (1, $1::json)', [
    JSON.stringify([told]),
  ])
  return subject
}

async function logged(): Promise<string[]> {
  const rows = await bank.rows('select position::int as at, subject from kernel.event order by 1')
  expect(rows.map(({ at }) => at)).toEqual(rows.map((_, index) => index + 1))
  return rows.map(({ subject }) => subject as string)
}

async function posted(desk: Pick<RunningSubgraph, 'execute'> = bank): Promise<string> {
  const { data, errors } = await post(desk as RunningSubgraph, pay('arr_ada', '1.00'))
  expect(errors).toEqual([])
  return `posting-instruction/${data.createPostingInstruction.postingInstructionId}`
}

test('what was told before a posting is before it in the log', async () => {
  const before = [await tellInOutbox(), await tellInOutbox()]
  const one = await posted()
  const between = await tellInOutbox()
  expect(await logged()).toEqual([...before, one])
  expect(await logged()).not.toContain(between)
  const other = await posted()
  expect(await logged()).toEqual([...before, one, between, other])
})

test('two processes, a sequencer and an outbox at once: every event once, without gaps', async () => {
  const other = bank.another()
  const known = await logged()
  const told = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      if (at % 4 === 0) await bank.rows('select kernel.sequence_events(3)')
      return [await tellInOutbox(), await posted(at % 2 ? bank : other)]
    }),
  )
  await bank.rows('select kernel.sequence_events(1000)')
  const found = await logged()
  expect(found.slice(known.length).toSorted()).toEqual(told.flat().toSorted())
  for (const [first, then] of told) expect(found.indexOf(first!)).toBeLessThan(found.indexOf(then!))
})

test('rows and texts arrive as they were sent, whatever is in them', async () => {
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
        // A text of no characters is read as one: only null is written as nothing.
        rows.map((each) => [...each, null, '7']),
      )
      const [texts] = await bank.rows('select $1::text[] as texts', [textArray(rows.flat())])
      expect(texts!['texts']).toEqual(rows.flat())
    }),
    { numRuns: 60 },
  )
})
