/**
 * Concurrent money movements from three processes that share five sessions of the database through a
 * pooler, while processes are killed and sessions terminated. The books keep every invariant, and
 * every acknowledged movement is booked exactly once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPooler } from '../kit/pooler.ts'
import { ContentionTest } from './contention.ts'

const minMovements = 100
const poolSize = 5
const seed = Date.now() % 1_000_000

describe.skipIf(!hasPooler)('through a pooler', () => {
  let contention: ContentionTest
  beforeAll(async () => {
    contention = await ContentionTest.open(undefined, poolSize)
  })
  afterAll(() => contention?.close())

  test('keeps the books consistent', async () => {
    const load = { seconds: 11, movements: minMovements, checkEverySeconds: 4, kills: 1 }
    const result = await contention.run({ ...load, seed, writers: 3 })
    expect(result.findings.slice(0, 20), `with the seed ${seed}`).toEqual([])
    expect(result).toMatchObject({ kills: 1, terminations: 1 })
    expect(result.tally.undisturbed).toBeGreaterThanOrEqual(minMovements)
  })
})
