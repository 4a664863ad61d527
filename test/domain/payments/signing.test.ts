import { describe, expect, test } from 'vitest'
import {
  maySignAlone,
  signaturesFor,
  signingRuleIn,
  type SigningRule,
} from '../../../kernel/domain/signing.ts'
import {
  addSignature,
  isSigned,
  pendingSignatures,
  requireSignatory,
  signingFor,
} from '../../../subgraphs/payments/domain/signing.ts'
import { scheduledPayment, type Payment } from '../../../subgraphs/payments/domain/payment.ts'
import { random as randomFrom } from '../../kit/random.ts'

const now = new Date('2026-03-02T09:00:00Z')
const later = new Date('2026-03-16T09:00:00Z')

const rule = (more: Partial<SigningRule> = {}): SigningRule => ({
  signingRuleId: 'sgr_1',
  requiredSignatures: 2,
  fromMinor: null,
  signatoryPartyIds: ['ada', 'grace', 'alan'],
  ...more,
})

const order = {
  partyId: 'ada',
  debtorArrangementId: 'arr_ada',
  rail: 'internal',
  creditorArrangementId: 'arr_grace',
  creditorPartyId: 'grace',
  creditorIban: null,
  creditorName: null,
  amountMinor: 10_00n,
  currency: 'EUR',
  endToEndId: null,
  remittanceInformation: null,
}

function waiting(initiator: string, by = rule()): Payment {
  const stamp = { paymentId: 'pay_1', contentHash: '', version: 1, createdAt: now, updatedAt: now }
  const scheduled = scheduledPayment(order, stamp, '2026-03-02')
  return pendingSignatures(scheduled, signingFor(by, order.amountMinor, initiator, now)!, now)
}

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'none'
}

describe('A signing rule', () => {
  test.each([
    ['every amount', null, 1n, 2],
    ['an amount below the threshold', '1000', 9_99n, 1],
    ['the threshold itself', '1000', 10_00n, 2],
    ['an unknown amount', '1000', null, 2],
  ])('requires the signatures for %s', (_, fromMinor, amountMinor, expected) => {
    expect(signaturesFor(rule({ fromMinor }), amountMinor)).toBe(expected)
  })

  test('without signatories is no rule', () => {
    expect(signingRuleIn(null)).toBeNull()
    expect(signingRuleIn({ ...rule({ signatoryPartyIds: [] }) })).toBeNull()
    expect(signingRuleIn({ ...rule() })).toEqual(rule())
  })

  test('lets only a signatory sign alone', () => {
    const single = rule({ requiredSignatures: 1 })
    expect(maySignAlone(single, 'ada', null)).toBe(true)
    expect(maySignAlone(single, 'eve', null)).toBe(false)
    expect(maySignAlone(rule(), 'ada', null)).toBe(false)
  })
})

describe('A payment', () => {
  test('counts its initiator if the initiator is a signatory', () => {
    expect(waiting('ada').signing!.signatures).toHaveLength(1)
    expect(waiting('eve').signing!.signatures).toHaveLength(0)
  })

  test('does not wait if the initiator may sign alone', () => {
    expect(signingFor(rule({ requiredSignatures: 1 }), 1n, 'ada', now)).toBeNull()
    expect(signingFor(rule({ requiredSignatures: 1 }), 1n, 'eve', now)).not.toBeNull()
  })

  test('is signed once by each signatory, until it expires', () => {
    const payment = waiting('ada')
    expect(codeOf(() => addSignature(payment, 'ada', now))).toBe('ALREADY_SIGNED')
    expect(codeOf(() => addSignature(payment, 'eve', now))).toBe('NOT_A_SIGNATORY')
    expect(codeOf(() => addSignature(payment, 'grace', later))).toBe('SIGNATURES_EXPIRED')
    const settled = { ...payment, state: 'settled' as const }
    expect(codeOf(() => requireSignatory(settled, 'grace', now))).toBe('INVALID_STATE_TRANSITION')
    expect(addSignature(payment, 'grace', now).signing!.signatures).toHaveLength(2)
  })

  test('never counts a party twice, a stranger, or a party without the right', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomFrom(seed)
      const anyOf = (values: readonly string[]) => values[Math.floor(random() * values.length)]!
      const parties = ['ada', 'grace', 'alan', 'joan', 'eve']
      const signatoryPartyIds = parties.filter(() => random() < 0.6)
      if (signatoryPartyIds.length === 0) continue
      const requiredSignatures = 1 + Math.floor(random() * signatoryPartyIds.length)
      const own = rule({ requiredSignatures, signatoryPartyIds })
      const initiator = anyOf(parties)
      const signing = signingFor(own, order.amountMinor, initiator, now)
      const distinct = new Set(signatoryPartyIds.includes(initiator) ? [initiator] : [])
      if (!signing) {
        expect(distinct.size).toBeGreaterThanOrEqual(requiredSignatures)
        continue
      }
      let payment = waiting(initiator, own)
      for (let step = 0; step < 8; step++) {
        const party = anyOf(parties)
        try {
          payment = addSignature(payment, party, now)
          distinct.add(party)
        } catch {
          const isStranger = !signatoryPartyIds.includes(party)
          expect(isStranger || distinct.has(party)).toBe(true)
        }
        const entitled = parties.filter(() => random() < 0.7)
        const counted = [...distinct].filter((each) => entitled.includes(each))
        expect(isSigned(payment.signing!, entitled)).toBe(counted.length >= requiredSignatures)
      }
    }
  })
})
