/** How many connections a process opens to a database when every part of it is as busy as it can be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

/** The check of readiness has as many, and needs them only when the database does not answer. */
const ofReadiness = 2
const guide = readFileSync(join(projectRoot, 'docs', 'run-on-many-machines.md'), 'utf8')

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('a process opens as many connections as the guide says, and no more', async () => {
  const { pool, locks, reads, commits } = bank.bank
  const statement = (name: string) => ({
    name: `budget-${name}`,
    text: 'select pg_sleep(0.5)::text as slept',
    values: [],
  })
  const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)))
  const post = (index: number) =>
    bank.rest(
      'POST',
      '/v1/posting-instructions',
      {
        debtorArrangementId: 'arr_ada_current',
        creditorArrangementId: 'arr_ada_savings',
        amount: { amount: '0.01', currency: 'EUR' },
      },
      { key: `budget-${index}` },
    )
  await Promise.all([
    times(60, () => pool.query('select pg_sleep(0.5)')),
    times(20, () => locks.query('select pg_sleep(0.5)')),
    times(20, (index) => commits.commit({ statement: statement(String(index)), events: null })),
    times(20, () => reads.query(statement('read'))),
    times(20, post),
  ])
  const { rows } = await pool.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'bankgraph'`,
  )
  const [, documented] = /up to (\d+) connections to each database/.exec(guide)!
  expect(rows[0].count).toBeLessThanOrEqual(Number(documented))
  expect(rows[0].count).toBeGreaterThanOrEqual(Number(documented) - ofReadiness)
})
