import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { writeCheckpoints, verifyJournal } from '../../../ledger/checkpoints.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aggregateInternalAccounts } from '../../../subgraphs/payments/workers/ledger.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, pay, post } from '../payments/kit.ts'
import { aggregateAll, aBusyDay, inVain, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
})
afterAll(() => bank.drop())

const sequence = () => bank.rows('select kernel.sequence_events(1000)')

test('extends the checkpoints as the journal grows, and locates an altered entry', async () => {
  for (let round = 1; round <= 3; round++) {
    for (let at = 0; at < 5; at++) await post(bank, pay('arr_ada', '1.00'))
    await sequence()
    expect(await writeCheckpoints(bank.bank.pool)).toBe(5)
    const verified = await verifyJournal(bank.bank.pool)
    expect(verified).toMatchObject({ linesChecked: 5 * round, badLine: null, detail: null })
  }
  await bank.rows('alter table ledger.entry disable trigger append_only')
  await bank.rows(
    `update ledger.entry set amount = 101 where sequence = 7 and account_id = 'arr_ada'`,
  )
  expect(await verifyJournal(bank.bank.pool)).toMatchObject({ linesChecked: 6, badLine: 7 })
  const found = (await checkLedger(bank.bank.pool)).map(({ invariant }) => invariant)
  expect(found).toContain('debits equal credits in every posting, currency and phase')
  expect(found).toContain('a balance is the sum of its entries')
})

test('ends when the caller no longer waits', async () => {
  const query = '{ verifyLedger { linesChecked } }'
  expect((await bank.execute(query)).errors).toEqual([])
  expect((await bank.execute(query, {}, { deadlineMs: Date.now() - 1 })).code).toBe('TIMEOUT')
  let checks = 0
  const check = () => {
    if (++checks === 2) throw new Error('gone')
  }
  await expect(verifyJournal(bank.bank.pool, check)).rejects.toThrow('gone')
  expect(checks).toBe(2)
})

test('aggregating accumulating accounts leaves every balance unchanged', async () => {
  const totals = () => bank.rows('select * from ledger.current_balance order by account_id')
  const isDue = async () =>
    (await bank.rows(`select (${aggregateInternalAccounts.isDueSql}) as "isDue"`))[0]!['isDue']
  const before = await totals()
  expect(await isDue()).toBe(true)
  await aggregateAll(bank)
  expect(await isDue()).toBe(false)
  expect(await totals()).toEqual(before)
  const [fold] = await bank.rows('select up_to::int as up_to from ledger.aggregation')
  expect(fold!['up_to']).toBe(15)
})

test('computes the digests of journal lines that were written before digests existed', async () => {
  const older = await aSubgraph(payments)
  try {
    await aBusyDay(older, 'old')
    await older.rows('alter table ledger.posting_instruction disable trigger append_only')
    await older.rows('update ledger.posting_instruction set digest = null where ordinal = 0')
    await writeAllCheckpoints(older)
    const { linesChecked, badLine } = await verifyJournal(older.bank.pool)
    expect([linesChecked, badLine]).toEqual([18, null])
  } finally {
    await older.drop()
  }
})

test('refuses to write a checkpoint over a line that the event log has and the journal lacks', async () => {
  await post(bank, pay('arr_ada', '1.00'))
  await inVain(bank, async (client) => {
    await client.query(
      'delete from ledger.posting_instruction where posting_instruction_id = ' +
        '(select max(posting_instruction_id) from ledger.posting_instruction)',
    )
    await expect(writeCheckpoints(client)).rejects.toThrow(/but the journal does not/)
  })
  await writeAllCheckpoints(bank)
})

test('writes one checkpoint when six workers write at once', async () => {
  const [before] = await bank.rows('select max(first_line)::int as line from ledger.checkpoint')
  for (let at = 0; at < 8; at++) await post(bank, pay('arr_ada', '1.00'))
  await Promise.all(Array.from({ length: 6 }, () => writeCheckpoints(bank.bank.pool)))
  const checkpoints = await bank.rows(
    'select first_line from ledger.checkpoint where first_line > $1',
    [before!['line']],
  )
  expect(checkpoints).toHaveLength(1)
})
