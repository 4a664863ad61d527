import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feeTriggers, type Fee } from '../../../kernel/domain/fee.ts'
import { internalAccount, thirdPartyAccountId } from '../../../ledger/domain/account.ts'
import { feeFaults } from '../../../subgraphs/products/domain/fee-terms.ts'
import {
  dueFeeOf,
  newFeeCharge,
  pricedFee,
  canTriggerFees,
  triggeredFees,
  triggerOf,
} from '../../../subgraphs/fees/domain/fee-charge.ts'

const eur = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
const aFee = (terms: Partial<Fee>): Fee => ({
  code: 'return',
  name: 'Returned payment',
  frequency: 'on-event',
  trigger: 'payment-returned',
  amount: null,
  percent: null,
  tiers: [],
  minimum: null,
  maximum: null,
  waivers: [],
  ...terms,
})
const event = (amountMinor: bigint, currency = 'EUR') =>
  ({ trigger: 'payment-returned', time: new Date('2026-03-10'), amountMinor, currency }) as const
const versionWith = (...fees: Fee[]) => ({ createdOn: '2026-03-10', fees })
const account = {
  arrangementId: 'arr_1',
  partyId: 'pty_1',
  customerId: 'cus_1',
  productId: 'prd_1',
  productVersion: '2026.1',
  currency: 'EUR',
  state: 'active',
  openedAt: '2026-01-01T00:00:00Z',
}

/**
 * The price by whole numbers only: hundredths of a percent of the amount, rounded half up to a minor
 * unit, then at least the minimum and at most the maximum.
 */
function modelPrice(basis: bigint, basisPoints: bigint, minimum: bigint, maximum: bigint): bigint {
  const [whole, rest] = [(basis * basisPoints) / 10_000n, (basis * basisPoints) % 10_000n]
  const rounded = rest >= 5_000n ? whole + 1n : whole
  if (rounded < minimum) return minimum
  return rounded > maximum ? maximum : rounded
}

describe('price of a fee on an event', () => {
  test('equals the model for any percentage, minimum and maximum', () => {
    const numbers = fc.tuple(
      fc.bigInt(0n, 10n ** 12n),
      fc.bigInt(0n, 10_000n),
      fc.bigInt(0n, 10_000n),
      fc.bigInt(0n, 10_000n),
    )
    fc.assert(
      fc.property(numbers, ([basis, basisPoints, minimum, range]) => {
        const percent = `${basisPoints / 100n}.${String(basisPoints % 100n).padStart(2, '0')}`
        const maximum = minimum + range
        const fee = aFee({ percent, minimum: eur(minimum), maximum: eur(maximum) })
        const price = modelPrice(basis, basisPoints, minimum, maximum)
        const [charged] = triggeredFees(event(basis), versionWith(fee), account)
        expect(charged?.amountMinor ?? 0n).toBe(price)
      }),
    )
  })

  test('is never charged for another trigger or frequency', () => {
    for (const trigger of feeTriggers) {
      const fees = [
        aFee({ amount: eur(500n), trigger }),
        aFee({ amount: eur(500n), frequency: 'on-request', trigger: null }),
        aFee({ amount: eur(500n), frequency: 'per-event', trigger: null }),
      ]
      const expected = trigger === 'payment-returned' ? [fees[0]] : []
      expect(
        triggeredFees(event(100n), versionWith(...fees), account).map(({ fee }) => fee),
      ).toEqual(expected)
    }
  })

  test('is not charged for an event from before the version was created', () => {
    const later = { ...versionWith(aFee({ amount: eur(500n) })), createdOn: '2026-03-11' }
    expect(triggeredFees(event(100n), later, account)).toEqual([])
  })

  test.each([
    [{ debtorArrangementId: 'arr_1', reasonCode: null }, true],
    [{ debtorArrangementId: 'arr_1', reasonCode: 'AC04' }, true],
    [{ debtorArrangementId: 'arr_1', reasonCode: 'PARTY_DECEASED' }, false],
    [{ debtorArrangementId: null, reasonCode: null }, false],
  ])('%j can trigger fees: %s', (event, expected) => {
    expect(canTriggerFees(event)).toBe(expected)
  })

  test('needs the amount of the event in the currency of the account', () => {
    const [fixed, share] = [aFee({ amount: eur(500n) }), aFee({ percent: '1' })]
    expect(triggeredFees(event(9_999n, 'USD'), versionWith(fixed), account)[0]!.amountMinor).toBe(
      500n,
    )
    expect(triggeredFees(event(9_999n, 'USD'), versionWith(share), account)).toEqual([])
    expect(pricedFee(fixed, null, 'USD')).toBeNull()
    expect(pricedFee(aFee({ amount: eur(0n) }), null, 'EUR')).toBeNull()
  })

  test('every trigger has an event', () => {
    expect(Object.values(triggerOf).toSorted()).toEqual([...feeTriggers].toSorted())
  })
})

test('the period of a charge is the day on which it occurred', () => {
  const now = new Date('2026-03-11T00:00:01Z')
  const occurredAt = new Date('2026-03-10T23:59:59Z')
  const priced = pricedFee(aFee({ amount: eur(500n), thirdParty: 'notary' }), null, 'EUR')!
  const stamp = { contentHash: '', version: 1, createdAt: now, updatedAt: now }
  const origin = { event: null, chargedBy: 'olga', reason: null, occurredAt }
  expect(dueFeeOf(newFeeCharge('fch_1', priced, account, origin, stamp))).toMatchObject({
    periodStart: '2026-03-10',
    periodEnd: '2026-03-10',
    amountMinor: 500n,
    thirdParty: 'notary',
    feeRunId: 'fch_1',
    feeChargeId: 'fch_1',
  })
})

describe('terms of a fee that is charged by itself', () => {
  const faults = (terms: Partial<Fee>) =>
    feeFaults(aFee({ amount: eur(1n), ...terms }), ['EUR'], '')
  test.each<[string, Partial<Fee>, string[]]>([
    ['a fee with a trigger', {}, []],
    ['a fee on an event without a trigger', { trigger: null }, ['/trigger']],
    ['a trigger of a fee on request', { frequency: 'on-request' }, ['/trigger']],
    ['a fee on request', { frequency: 'on-request', trigger: null, thirdParty: 'notary' }, []],
    ['a third party', { thirdParty: 'card-scheme' }, []],
    ['a third party with a slash', { thirdParty: 'a/b' }, ['/thirdParty']],
    [
      'a third party of a monthly fee',
      { frequency: 'monthly', trigger: null, thirdParty: 'notary' },
      ['/thirdParty'],
    ],
  ])('%s', (_what, terms, expected) => {
    expect(faults(terms)).toEqual(expected)
  })
})

test('a third party has an account of its own in each currency', () => {
  expect(internalAccount(thirdPartyAccountId('notary', 'EUR'))).toMatchObject({
    accountId: 'fee-payable/EUR/notary',
    code: 'fee-payable',
    type: 'liability',
    currency: 'EUR',
  })
  for (const id of [
    'fee-income/EUR/notary',
    'fee-payable/EUR/',
    'fee-payable/EUR/A',
    'fee-payable/EUR/a/b',
  ]) {
    expect(internalAccount(id)).toBeNull()
  }
})
