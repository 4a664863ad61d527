/**
 * `kill -9` in the middle of a load: every answer that was given is given again, byte for byte,
 * nothing is missing, nothing is there twice, and the log has no gap.
 */
import { expect, test } from 'vitest'
import { runChaos } from './chaos.ts'
import { expected, killFeeRuns } from './fee-runs.ts'

test('three kills under load lose nothing and double nothing', async () => {
  const outcome = await runChaos({ seed: Date.now(), goesOn: (rounds) => rounds < 3 })
  expect(outcome.faults).toEqual([])
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, disordered: 0 })
  // Without a load there would have been nothing to lose.
  expect(outcome.kills).toBeGreaterThanOrEqual(3)
  expect(outcome.acked).toBeGreaterThan(50)
})

test('two kills in the middle of fee runs: every account is charged each fee, once', async () => {
  const outcome = await killFeeRuns(2)
  expect(outcome).toMatchObject({
    runs: Array(expected.runs).fill('COMPLETED'),
    charged: expected.charged,
    incomeMinor: expected.charged,
    findings: [],
  })
  expect(outcome.kills).toBeGreaterThan(0)
})
