/**
 * `kill -9` under load: every response that was given is replayed byte for byte, nothing is lost,
 * nothing is booked twice, and the event log has no gap.
 */
import { expect, test } from 'vitest'
import { runChaos } from './chaos.ts'
import { expected, killFeeRuns } from './fee-runs.ts'

test('three kills under load lose, duplicate and reorder nothing', async () => {
  // Without acknowledged writes there would be nothing to lose; a busy machine needs more rounds.
  const goesOn = (rounds: number, acked: number) => rounds < 3 || (acked <= 50 && rounds < 12)
  const outcome = await runChaos({ seed: Date.now(), goesOn })
  expect(outcome.faults).toEqual([])
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, disordered: 0 })
  expect(outcome.kills).toBeGreaterThanOrEqual(3)
  expect(outcome.acked).toBeGreaterThan(50)
})

test('fee runs killed twice midway charge every account each fee exactly once', async () => {
  const outcome = await killFeeRuns(2)
  expect(outcome).toMatchObject({
    runs: Array(expected.runs).fill('COMPLETED'),
    charged: expected.charged,
    incomeMinor: expected.charged,
    findings: [],
  })
  expect(outcome.kills).toBeGreaterThan(0)
})
