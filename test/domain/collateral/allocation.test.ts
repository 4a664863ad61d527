import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  distributeLendableValue,
  type Allocation,
} from '../../../subgraphs/collateral/domain/allocation.ts'
import { percentOf, shareDown, shareUp } from '../../../subgraphs/collateral/domain/percent.ts'

const claims = fc.uniqueArray(
  fc.record<Allocation>({
    facilityId: fc.integer({ min: 1, max: 30 }).map((n) => `fac_${n}`),
    rank: fc.integer({ min: 1, max: 4 }),
    amountMinor: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n })),
    pct: fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2)),
  }),
  { selector: ({ facilityId }) => facilityId, maxLength: 12 },
)
const claimOf = ({ amountMinor, pct }: Allocation, lendable: bigint) =>
  amountMinor ?? shareDown(lendable, percentOf(pct!))
const total = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, each) => sum + each, 0n)

test('allocates no more than each claim and the lendable value, and leaves nothing while a claim is open', () => {
  fc.assert(
    fc.property(claims, fc.bigInt({ min: 0n, max: 10n ** 13n }), (allocations, lendable) => {
      const provided = distributeLendableValue(allocations, lendable)
      for (const each of allocations) {
        const own = provided.get(each.facilityId)!
        expect(own >= 0n && own <= claimOf(each, lendable)).toBe(true)
      }
      const claimed = total(allocations.map((each) => claimOf(each, lendable)))
      expect(total(provided.values())).toBe(claimed < lendable ? claimed : lendable)
    }),
  )
})

test('allocates to a rank only when all earlier ranks are satisfied', () => {
  fc.assert(
    fc.property(claims, fc.bigInt({ min: 0n, max: 10n ** 13n }), (allocations, lendable) => {
      const provided = distributeLendableValue(allocations, lendable)
      for (const later of allocations) {
        if (provided.get(later.facilityId) === 0n) continue
        for (const earlier of allocations.filter(({ rank }) => rank < later.rank)) {
          expect(provided.get(earlier.facilityId)).toBe(claimOf(earlier, lendable))
        }
      }
    }),
  )
})

test('computes percentages exactly', () => {
  expect(percentOf('0.1') + percentOf('0.2')).toBe(percentOf('0.3'))
  expect(percentOf('-12.5')).toBe(-percentOf('12.50'))
  expect(shareDown(10n ** 17n + 1n, percentOf('100'))).toBe(10n ** 17n + 1n)
  expect([shareDown(1n, percentOf('99.9')), shareUp(1n, percentOf('0.0000000001'))]).toEqual([
    0n,
    1n,
  ])
})
