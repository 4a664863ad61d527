import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { receivedOnCalls } from '../../../subgraphs/lending/domain/obligors/guarantee-call.ts'
import {
  guaranteedMinorOf,
  informedOf,
  shownToParty,
} from '../../../subgraphs/lending/domain/obligors/obligor.ts'
import type { FacilityObligor } from '../../../subgraphs/lending/model/obligors/obligor.ts'

const today = '2026-06-01'
const guarantor = {
  role: 'guarantor',
  status: 'active',
  amountMinor: null,
  percentage: null,
  validUntil: null,
} as const
type Terms = Partial<
  Pick<FacilityObligor, 'role' | 'status' | 'amountMinor' | 'percentage' | 'validUntil'>
>
const guaranteed = (terms: Terms, claim: bigint, received = 0n) =>
  guaranteedMinorOf({ ...guarantor, ...terms }, claim, received, today)

describe('the amount for which an obligor is liable', () => {
  test.each<[string, Terms, bigint, bigint, bigint]>([
    ['an amount', { amountMinor: 500n }, 1000n, 0n, 500n],
    ['no more than is owed', { amountMinor: 500n }, 300n, 0n, 300n],
    ['what is left of an amount', { amountMinor: 500n }, 800n, 200n, 300n],
    ['nothing of an amount that was paid', { amountMinor: 500n }, 500n, 500n, 0n],
    ['a percentage', { percentage: '50' }, 1001n, 0n, 500n],
    ['a percentage with decimals', { percentage: '0.0001' }, 10_000_000n, 0n, 10n],
    ['nothing of the other half', { percentage: '50' }, 500n, 500n, 0n],
    ['the other part of its half', { percentage: '50' }, 900n, 100n, 400n],
    ['the lower of both', { amountMinor: 450n, percentage: '50' }, 1000n, 0n, 450n],
    ['everything, as a co-borrower', { role: 'co-borrower' }, 1000n, 0n, 1000n],
    ['nothing once released', { status: 'released', amountMinor: 500n }, 1000n, 0n, 0n],
    [
      'its amount while a release is considered',
      { status: 'release-proposed', amountMinor: 5n },
      9n,
      0n,
      5n,
    ],
    ['its amount on the last day', { amountMinor: 500n, validUntil: today }, 1000n, 0n, 500n],
    ['nothing after the last day', { amountMinor: 500n, validUntil: '2026-05-31' }, 1000n, 0n, 0n],
  ])('is %s', (_, terms, claim, received, expected) => {
    expect(guaranteed(terms, claim, received)).toBe(expected)
  })

  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n })
  const share = fc
    .integer({ min: 1, max: 1_000_000 })
    .map((millionths) => (millionths / 10_000).toFixed(4))
  const terms = fc.record({
    amountMinor: fc.option(fc.bigInt({ min: 1n, max: 10n ** 15n })),
    percentage: fc.option(share),
  })

  test('is never more than is owed, and what was paid and is left never more than the terms', () => {
    fc.assert(
      fc.property(terms, amount, amount, (limits, claim, received) => {
        const left = guaranteed(limits, claim, received)
        expect(left).toBeGreaterThanOrEqual(0n)
        expect(left).toBeLessThanOrEqual(claim)
        if (left === 0n) return
        if (limits.amountMinor) expect(left + received).toBeLessThanOrEqual(limits.amountMinor)
        if (limits.percentage) {
          const part = (left + received) * 1_000_000n
          const scaled = BigInt(limits.percentage.replace('.', ''))
          expect(part).toBeLessThanOrEqual((claim + received) * scaled)
        }
      }),
    )
  })

  test('falls by what the guarantor pays, as the debt does', () => {
    fc.assert(
      fc.property(terms, amount, amount, (limits, claim, payment) => {
        const before = guaranteed(limits, claim)
        const paid = payment < before ? payment : before
        expect(guaranteed(limits, claim - paid, paid)).toBe(before - paid)
      }),
    )
  })
})

describe('a release', () => {
  const parties = { partyId: 'pty_joe', borrowerPartyId: 'pty_ada' }
  test('is hidden from the parties until it is decided', () => {
    const proposed = { ...parties, status: 'release-proposed', releaseProposedBy: 'eve' } as const
    expect(informedOf(proposed)).toEqual([])
    expect(informedOf({ ...proposed, status: 'active' })).toEqual([])
    expect(informedOf({ ...proposed, status: 'released' })).toEqual(['pty_joe', 'pty_ada'])
    expect(informedOf({ ...proposed, status: 'active', releaseProposedBy: null })).toHaveLength(2)
    expect(shownToParty(proposed as FacilityObligor).status).toBe('active')
  })
})

const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 0, minute))
const aCall = (
  id: string,
  amountMinor: bigint,
  from: number,
  withdrawnAt: number | null = null,
) => ({
  guaranteeCallId: id,
  status: withdrawnAt === null ? ('open' as const) : ('withdrawn' as const),
  amountMinor,
  createdAt: at(from),
  updatedAt: at(withdrawnAt ?? from),
})
const payment = (amountMinor: bigint, minute: number) => ({ amountMinor, recordedAt: at(minute) })
const received = (...args: Parameters<typeof receivedOnCalls>) => {
  const { byCall, totalMinor, unpaidMinor } = receivedOnCalls(...args)
  return [Object.fromEntries(byCall), totalMinor, unpaidMinor]
}

describe('what was received against calls', () => {
  test.each<[string, Parameters<typeof receivedOnCalls>, unknown[]]>([
    ['is nothing without calls', [[], [payment(100n, 1)]], [{}, 0n, 0n]],
    ['is nothing paid before', [[aCall('a', 100n, 5)], [payment(100n, 4)]], [{ a: 0n }, 0n, 100n]],
    ['is a payment in part', [[aCall('a', 100n, 5)], [payment(60n, 6)]], [{ a: 60n }, 60n, 40n]],
    ['is at most the amount', [[aCall('a', 100n, 5)], [payment(150n, 6)]], [{ a: 100n }, 100n, 0n]],
    [
      'fills the oldest call first',
      [[aCall('a', 100n, 5), aCall('b', 100n, 6)], [payment(150n, 7)]],
      [{ a: 100n, b: 50n }, 150n, 50n],
    ],
    [
      'never fills a later call',
      [[aCall('a', 100n, 5), aCall('b', 100n, 8)], [payment(150n, 7)]],
      [{ a: 100n, b: 0n }, 100n, 100n],
    ],
    [
      'stays with a withdrawn call, which gets nothing more',
      [
        [aCall('a', 100n, 5, 8), aCall('b', 100n, 6)],
        [payment(30n, 7), payment(100n, 9)],
      ],
      [{ a: 30n, b: 100n }, 130n, 0n],
    ],
  ])('%s', (_, args, expected) => expect(received(...args)).toEqual(expected))

  test('counts no unit twice, and no call beyond its amount, over random lives', () => {
    const minutes = fc.integer({ min: 0, max: 50 })
    const money = fc.bigInt({ min: 1n, max: 1000n })
    const call = fc.record({ amount: money, from: minutes, lasts: fc.option(minutes) })
    const paid = fc.record({ amount: money, minute: minutes })
    fc.assert(
      fc.property(fc.array(call), fc.array(paid), (someCalls, somePayments) => {
        const calls = someCalls
          .toSorted((one, other) => one.from - other.from)
          .map(({ amount: due, from, lasts }, index) =>
            aCall(`${index}`, due, from, lasts === null ? null : from + lasts),
          )
        const payments = somePayments
          .toSorted((one, other) => one.minute - other.minute)
          .map(({ amount: sum, minute }) => payment(sum, minute))
        const { byCall, totalMinor, unpaidMinor } = receivedOnCalls(calls, payments)
        const sumOf = (values: readonly bigint[]) => values.reduce((one, two) => one + two, 0n)
        expect(totalMinor).toBe(sumOf([...byCall.values()]))
        expect(totalMinor).toBeLessThanOrEqual(sumOf(payments.map((each) => each.amountMinor)))
        const open = calls.filter(({ status }) => status === 'open')
        expect(unpaidMinor).toBe(
          sumOf(open.map((each) => each.amountMinor - byCall.get(each.guaranteeCallId)!)),
        )
        for (const each of calls) {
          expect(byCall.get(each.guaranteeCallId)).toBeLessThanOrEqual(each.amountMinor)
        }
      }),
    )
  })
})
