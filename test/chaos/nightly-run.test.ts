/**
 * `kill -9` during the nightly runs of many days: every job continues where it stopped, so the books
 * are the same as without a kill, to the cent.
 */
import { expect, test } from 'vitest'
import { addDays, dateOf } from '../../kernel/domain/dates.ts'
import { runNights } from './nightly-runs.ts'

const days = 100
const kills = 3

test('nightly runs killed midway leave the books that an uninterrupted run leaves', async () => {
  const to = new Date(`${addDays(dateOf(new Date()), days)}T06:00:00Z`)
  const killed = await runNights(to, kills)
  const calm = await runNights(to, 0)
  expect(killed.interrupted.length).toBeGreaterThan(0)
  expect(killed.findings).toEqual([])
  expect(calm.findings).toEqual([])
  expect(Object.keys(calm.balances).length).toBeGreaterThan(8)
  expect(killed.balances).toEqual(calm.balances)
  expect(killed.businessDate).toBe(addDays(dateOf(to), -1))
}, 600_000)
