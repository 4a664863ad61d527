/**
 * Concurrent money movements of every kind on a few accounts, from one process and from several on one
 * database, while processes are killed and database sessions terminated. The books keep every
 * invariant, every acknowledged movement is booked exactly once, and hardly any fails on contention.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentionTest } from './contention.ts'

const maxContentionPct = 1
/** Fewer movements would cause no contention to measure. */
const minMovements = 100
const seed = Date.now() % 1_000_000

let contention: ContentionTest
beforeAll(async () => {
  contention = await ContentionTest.open()
})
afterAll(() => contention?.close())

// Each run adds processes to those of the previous run.
test.each([
  { writers: 1, kills: 0 },
  { writers: 2, kills: 1 },
  { writers: 5, kills: 1 },
])(
  'keeps the books consistent under contention with $writers writers and $kills kills',
  async ({ writers, kills }) => {
    const load = { seconds: 11, movements: minMovements, checkEverySeconds: 4 }
    const result = await contention.run({ ...load, seed, writers, kills })
    const { tally, findings } = result
    expect(findings.slice(0, 20), `with the seed ${seed}`).toEqual([])
    expect(result).toMatchObject({ kills, terminations: kills })
    expect(tally.undisturbed).toBeGreaterThanOrEqual(minMovements)
    const refusals = JSON.stringify(Object.fromEntries(tally.codes))
    expect(tally.contentionPct, refusals).toBeLessThanOrEqual(maxContentionPct)
  },
)
