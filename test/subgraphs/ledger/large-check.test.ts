/** The regular check of the books may take longer than a request, and ends when the process stops. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionTimeouts } from '../../../kernel/database/pooler.ts'
import { withLongReads } from '../../../kernel/database/long-reads.ts'
import { checkLargeLedger, invariants } from '../../../ledger/check.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { eventually } from '../../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

const planted = invariants as Record<string, string>
const sleeping = '\'{}\'::text[] as "accountIds", pg_sleep(600)::text as detail'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterEach(() => {
  delete planted['planted']
})
afterAll(() => bank.drop())

test('an invariant has more time than a request, and later statements of the session have not', async () => {
  const timeout = "current_setting('statement_timeout')"
  planted['planted'] = `select ${timeout} as subject, '{}'::text[] as "accountIds", '' as detail`
  const findings = await checkLargeLedger(bank.bank.pool)
  expect(findings.map(({ subject }) => subject)).toEqual(['1h'])
  const others = await Promise.all(
    Array.from({ length: 20 }, () => bank.rows(`select ${timeout} as timeout`)),
  )
  const expected = `${sessionTimeouts.statement_timeout / 1000}s`
  expect(new Set(others.map(([row]) => row!['timeout']))).toEqual(new Set([expected]))
})

test('the database looks every ten seconds whether the process that checks still exists', async () => {
  const interval = "current_setting('client_connection_check_interval')"
  planted['planted'] = `select ${interval} as subject, '{}'::text[] as "accountIds", '' as detail`
  const findings = await checkLargeLedger(bank.bank.pool)
  expect(findings.map(({ subject }) => subject)).toEqual(['10s'])
})

test('a stop cancels the invariant that is being checked', async () => {
  planted['planted'] = `select 'sleeps' as subject, ${sleeping}`
  const stopping = new AbortController()
  const ended = checkLargeLedger(bank.bank.pool, stopping.signal).catch(
    (error: unknown) => error as Error,
  )
  const running =
    "select from pg_stat_activity where query like '%sleeps%' and query not like '%like%'"
  await eventually(async () => (await bank.rows(`${running} and state = 'active'`)).length === 1)
  stopping.abort()
  expect(await ended).toBeInstanceOf(Error)
  expect(await bank.rows(`${running} and state = 'active'`)).toEqual([])
})

test('a check that starts after the stop checks nothing', async () => {
  planted['planted'] = `select 'sleeps' as subject, ${sleeping}`
  await expect(checkLargeLedger(bank.bank.pool, AbortSignal.abort())).rejects.toThrow()
})

test('a stop while a connection is waited for reads nothing', async () => {
  const stopping = new AbortController()
  const ended = withLongReads(bank.bank.pool, stopping.signal, (queries) =>
    queries.query({ text: 'select 1 as one' }),
  )
  stopping.abort()
  await expect(ended).rejects.toThrow()
})

test('the postings that the totals of days do not contain yet are not kept in memory', async () => {
  const plan = await bank.rows(
    `explain ${invariants['the totals of a day are the sums of the entries booked on it']!}`,
  )
  const lines = plan.map((row) => row['QUERY PLAN'] as string)
  expect(lines.some((line) => line.includes('postings_without_total'))).toBe(true)
  expect(lines.filter((line) => line.includes('SubPlan'))).toEqual([])
})
