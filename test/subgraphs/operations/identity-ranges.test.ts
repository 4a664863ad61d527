/** The verification of a range of the audit of identity costs what the range has, and ends with its caller. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyIdentityRecords } from '../../../subgraphs/operations/store/identity-verification.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { inVain } from '../ledger/kit.ts'
import { anAudit } from './identity-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  ;({ bank } = await anAudit())
})
afterAll(() => bank.drop())

test('reads only lines near the range, and all lines before it says that a record was inserted', async () => {
  const texts: string[] = []
  const read = async (client: pg.PoolClient) => {
    texts.length = 0
    const pool = {
      query(config: { text: string }) {
        texts.push(config.text)
        return client.query(config)
      },
    }
    const other = { ...bank.bank, pool: pool as never }
    const { isIntact } = await verifyIdentityRecords(other, { firstLine: 5, lastLine: 6 })
    return [isIntact, texts.filter((text) => text.includes('unnest')).map(isNearby)]
  }
  const isNearby = (text: string) => text.includes('first_line between')
  // Many lines later, there is a record of the times of the range.
  const lateSql = (
    id: string,
  ) => `insert into kernel.identity_record (record_id, kind, outcome, count, at)
    select '${id}', kind, outcome, count, at from kernel.identity_record where person = 'grace-2'`
  await inVain(bank, async (client) => {
    expect(await read(client)).toEqual([true, [true]])
    await client.query(lateSql('idr_late'))
    await client.query(`insert into kernel.identity_checkpoint
      values (900000, array['idr_late'], '', '')`)
    expect(await read(client)).toEqual([true, [true, false]])
    await client.query(lateSql('idr_forged'))
    expect(await read(client)).toEqual([false, [true, false]])
  })
})

test('ends when the caller no longer waits', async () => {
  const query = 'query ($line: Int) { verifyIdentityRecords(firstLine: $line) { isIntact } }'
  for (const line of [1, 5]) {
    expect((await bank.execute(query, { line }, { deadlineMs: Date.now() - 1 })).code).toBe(
      'TIMEOUT',
    )
  }
  let checks = 0
  const check = () => {
    if (++checks === 3) throw new Error('gone')
  }
  await expect(
    verifyIdentityRecords(bank.bank, { firstLine: 1, lastLine: null }, undefined, check),
  ).rejects.toThrow('gone')
  expect(checks).toBe(3)
})
