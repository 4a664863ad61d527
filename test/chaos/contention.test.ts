/**
 * Money movements of every kind meet on a few accounts, in one process and in several on one
 * database, with processes killed and database sessions terminated meanwhile. The books keep every
 * invariant, every acknowledged movement is there once, and hardly any is refused for contention.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentionTest } from './contention.ts'

const maxContentionPct = 1
const seed = Date.now() % 1_000_000

let contention: ContentionTest
beforeAll(async () => {
  contention = await ContentionTest.open()
})
afterAll(() => contention?.close())

// Each run adds processes to those of the run before.
test.each([
  { writers: 1, kills: 0 },
  { writers: 2, kills: 1 },
  { writers: 5, kills: 1 },
])('movements meet, writers: $writers, kills: $kills', async ({ writers, kills }) => {
  const result = await contention.run({ seconds: 11, checkEverySeconds: 4, seed, writers, kills })
  const { tally, findings } = result
  expect(findings.slice(0, 20), `with the seed ${seed}`).toEqual([])
  expect(result).toMatchObject({ kills, terminations: kills })
  // Without movements that met there would have been nothing to refuse.
  expect(tally.undisturbed).toBeGreaterThan(50)
  const refusals = JSON.stringify(Object.fromEntries(tally.codes))
  expect(tally.contentionPct, refusals).toBeLessThanOrEqual(maxContentionPct)
})
