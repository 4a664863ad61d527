/** The regular check of the general ledger may take longer than a request, and logs what it finds. */
import 'reflect-metadata'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { checkGeneralLedger } from '../../../subgraphs/general-ledger/workers/check-books.ts'
import { aLedgerBank, type LedgerBank } from './kit.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-20T09:00:00.000Z')
  const posting = { debit: 'nostro', credit: 'fee-income', amount: '1.00' }
  await bank.post({ ...posting, valueDate: '2026-03-02' })
  await bank.date()
})
afterAll(() => bank.drop())

test('the check reads with the timeout of long reads, and logs each violation', async () => {
  const logged = vi.spyOn(bank.bank.log, 'error').mockImplementation(() => undefined)
  await checkGeneralLedger.run(bankContext(bank.bank))
  expect(logged.mock.calls).toEqual([])
  await bank.rows(
    `update general_ledger.daily_total set debit_minor = debit_minor + 1
     where ledger_code = 'nostro' and accounting_date = '2026-03-02'`,
  )
  const { generalLedgerFindings: findings } = await bank.act('{ generalLedgerFindings { kind } }')
  expect(findings.length).toBeGreaterThan(0)

  const timeouts: string[] = []
  const { pool } = bank.bank
  const connect = pool.connect.bind(pool) as (callback?: never) => Promise<pg.PoolClient>
  pool.connect = (async (callback?: never) => {
    // The pool itself connects with a callback, for single queries.
    const client = await connect(callback)
    if (callback) return client
    const query = client.query.bind(client) as (query: unknown) => Promise<pg.QueryResult>
    client.query = (async (requested: { text?: string }) => {
      if (requested.text?.includes('general_ledger.daily_total')) {
        timeouts.push((await query('show statement_timeout')).rows[0].statement_timeout)
      }
      return query(requested)
    }) as never
    return client
  }) as never
  await checkGeneralLedger.run(bankContext(bank.bank))
  pool.connect = connect as never
  expect(timeouts).toEqual(['1h', '1h', '1h'])
  expect(logged.mock.calls.map(([finding]) => (finding as { kind: string }).kind)).toEqual(
    findings.map(({ kind }: { kind: string }) => kind.toLowerCase().replaceAll('_', '-')),
  )
  logged.mockRestore()
})

test('a check that starts after the stop checks nothing', async () => {
  const stopped = checkGeneralLedger.run(bankContext(bank.bank), AbortSignal.abort())
  await expect(stopped).rejects.toThrow()
})
