import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  feeAmount,
  feeFromJson,
  feeToJson,
  type Fee,
  type FeeWaiver,
} from '../../../kernel/domain/fee.ts'
import { waiverOf } from '../../../subgraphs/fees/domain/fee-waiver.ts'

const eur = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
const none = { amount: null, percent: null, tiers: [], minimum: null, maximum: null, waivers: [] }
const aFee = (terms: Partial<Fee>): Fee => ({
  code: 'account',
  name: null,
  frequency: 'monthly',
  ...none,
  ...terms,
})
const flat = aFee({ amount: eur(450n) })
const share = aFee({ percent: '0.125', minimum: eur(100n), maximum: eur(1_000n) })
const tiered = aFee({
  tiers: [
    { upTo: eur(100_000n), amount: eur(500n), percent: null },
    { upTo: eur(1_000_000n), amount: null, percent: '0.1' },
    { upTo: null, amount: eur(0n), percent: null },
  ],
})
const perEvent = aFee({ frequency: 'per-event', amount: eur(25n), maximum: eur(300n) })

describe('amount of a fee', () => {
  test.each<[string, Fee, bigint | null, number, bigint | null]>([
    ['a fixed amount', flat, null, 1, 450n],
    ['a fixed amount on a negative balance', flat, -5n, 1, 450n],
    ['a percentage, rounded half up', aFee({ percent: '0.5' }), 100n, 1, 1n],
    ['a percentage below half a cent', aFee({ percent: '0.5' }), 99n, 1, 0n],
    ['a percentage without a basis', aFee({ percent: '0.5' }), null, 1, null],
    ['a percentage of a negative balance', aFee({ percent: '0.5' }), -99_999n, 1, 0n],
    ['a percentage below the minimum', share, 0n, 1, 100n],
    ['a percentage between minimum and maximum', share, 400_000n, 1, 500n],
    ['a percentage above the maximum', share, 9_999_999n, 1, 1_000n],
    ['the first tier', tiered, 99_999n, 1, 500n],
    ['the upper bound of a tier, inclusive', tiered, 100_000n, 1, 500n],
    ['the second tier, which prices the whole basis', tiered, 100_001n, 1, 100n],
    ['a tier that is free', tiered, 1_000_001n, 1, 0n],
    ['a negative balance, in the first tier', tiered, -1n, 1, 500n],
    ['per event', perEvent, 9_999n, 3, 75n],
    ['per event, up to the maximum', perEvent, 9_999n, 100, 300n],
    ['no events', perEvent, 0n, 0, 0n],
    ['no events, despite a minimum', aFee({ ...perEvent, minimum: eur(9n) }), 0n, 0, 0n],
  ])('%s', (_what, fee, basisMinor, events, amount) => {
    expect(feeAmount(fee, { basisMinor, events, currency: 'EUR' })).toBe(amount)
  })

  test('is null in another currency, except for a percentage without bounds', () => {
    const basis = { basisMinor: 100_000n, events: 1, currency: 'USD' }
    for (const fee of [flat, share, tiered, perEvent]) expect(feeAmount(fee, basis)).toBeNull()
    expect(feeAmount(aFee({ percent: '1' }), basis)).toBe(1_000n)
  })

  test('is never outside its bounds', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.bigInt(0n, 1_000_000n),
        fc.bigInt(0n, 1_000_000n),
        (basisMinor, share, one, other) => {
          const [least, limit] = one < other ? [one, other] : [other, one]
          const percent = (share / 100_000).toFixed(5)
          const fee = aFee({ percent, minimum: eur(least), maximum: eur(limit) })
          const amount = feeAmount(fee, { basisMinor, events: 1, currency: 'EUR' })!
          expect(amount >= least && amount <= limit).toBe(true)
        },
      ),
    )
  })

  test('survives conversion to JSON and back', () => {
    const waivers: FeeWaiver[] = [
      { kind: 'minimum-balance', amount: eur(9_007_199_254_740_993n) },
      { kind: 'account-age', months: 6 },
    ]
    for (const fee of [flat, share, { ...tiered, waivers }]) {
      expect(feeFromJson(JSON.parse(JSON.stringify(feeToJson(fee))))).toEqual(fee)
    }
  })
})

describe('waiver of a fee', () => {
  const balance: FeeWaiver = { kind: 'minimum-balance', amount: eur(200_000n) }
  const segment: FeeWaiver = { kind: 'customer-segment', segment: 'Student' }
  const age: FeeWaiver = { kind: 'account-age', months: 6 }
  const [from, to] = ['2026-03-01', '2026-04-30']
  const campaign: FeeWaiver = { kind: 'campaign', campaignCode: 'spring', from, to }
  const account = { balanceMinor: 0n, segment: null, openedOn: '2020-01-31', from: '2026-05-01' }

  test.each<[string, FeeWaiver, Partial<typeof account> | { segment: string }, boolean]>([
    ['a balance equal to the minimum', balance, { balanceMinor: 200_000n }, true],
    ['a balance one cent below the minimum', balance, { balanceMinor: 199_999n }, false],
    ['the segment, ignoring case', segment, { segment: 'STUDENT' }, true],
    ['another segment', segment, { segment: 'students' }, false],
    ['no segment', segment, {}, false],
    ['the first month', age, { openedOn: '2026-05-20' }, true],
    ['the sixth month', age, { openedOn: '2025-11-02' }, true],
    ['the seventh month', age, { openedOn: '2025-11-01' }, false],
    ['the first day of a campaign', campaign, { from }, true],
    ['the last day of a campaign', campaign, { from: to }, true],
    ['the day before a campaign', campaign, { from: '2026-02-28' }, false],
    ['the day after a campaign', campaign, { from: '2026-05-01' }, false],
  ])('%s', (_what, waiver, inputs, isWaived) => {
    const found = waiverOf(aFee({ waivers: [waiver] }), { ...account, ...inputs })
    expect(found).toEqual(isWaived ? waiver : null)
  })

  test('is the first one that applies, and null for a fee without waivers', () => {
    const inputs = { ...account, balanceMinor: 300_000n, segment: 'student' }
    expect(waiverOf(aFee({ waivers: [age, segment, balance] }), inputs)).toBe(segment)
    expect(waiverOf(flat, inputs)).toBeNull()
  })
})
