import { expect, test } from 'vitest'
import type { PromiseToPayStatus } from '../../../subgraphs/lending/model/promises/enumerations.ts'
import { statusOfPromise } from '../../../subgraphs/lending/domain/promises/promise-to-pay.ts'

const before = ['open', 'kept', 'broken', 'cancelled'] as const

/** The status after each status, for a promise of 100.00. */
test.each<[received: bigint, isOver: boolean, after: PromiseToPayStatus[]]>([
  [0n, false, ['open', 'broken', 'broken', 'cancelled']],
  [9_999n, false, ['open', 'broken', 'broken', 'cancelled']],
  [10_000n, false, ['kept', 'kept', 'kept', 'cancelled']],
  [12_000n, true, ['kept', 'kept', 'kept', 'cancelled']],
  [9_999n, true, ['broken', 'broken', 'broken', 'cancelled']],
])('with %s received, and its last day over: %s', (receivedMinor, isOver, after) => {
  const amountMinor = 10_000n
  expect(
    before.map((status) => statusOfPromise({ status, amountMinor }, receivedMinor, isOver)),
  ).toEqual(after)
})
