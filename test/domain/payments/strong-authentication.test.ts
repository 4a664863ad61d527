import { describe, expect, test } from 'vitest'
import { approvalLines, approvalText } from '../../../kernel/domain/approval.ts'
import {
  afterLowValue,
  approvalLinesOf,
  emptyCounter,
  exemptionOf,
  payeeOf,
  type Circumstances,
  type OrderedPayment,
} from '../../../subgraphs/payments/domain/strong-authentication.ts'

const order: OrderedPayment = {
  partyId: 'pty_ada',
  debtorArrangementId: 'arr_ada',
  creditorPartyId: 'pty_grace',
  creditorArrangementId: 'arr_grace',
  creditorIban: null,
  creditorName: 'Grace',
  amountMinor: 5_000_00n,
  currency: 'EUR',
  remittanceInformation: null,
  endToEndId: null,
}
const usual: Circumstances = {
  callerPartyId: 'pty_ada',
  isTrusted: false,
  counter: emptyCounter,
  isSeries: false,
}
const exemption = (changes: Partial<OrderedPayment>, circumstances: Partial<Circumstances> = {}) =>
  exemptionOf({ ...order, ...changes }, { ...usual, ...circumstances })
const toOwn = { creditorPartyId: 'pty_ada', creditorArrangementId: 'arr_ada_savings' }
const elsewhere = { creditorPartyId: null, creditorArrangementId: null, creditorIban: 'DE1' }

describe('Own accounts (RTS, article 15)', () => {
  test('need no approval, also for a series', () => {
    expect(exemption(toOwn)).toBe('own-account')
    expect(exemption(toOwn, { isSeries: true })).toBe('own-account')
  })
  test('are those of the customer who orders, not of the owner of the debited account', () => {
    // Grace pays from Ada's account to Ada, and from Ada's account to herself.
    expect(exemption(toOwn, { callerPartyId: 'pty_grace' })).toBeNull()
    expect(exemption({}, { callerPartyId: 'pty_grace' })).toBeNull()
  })
  test('are never at another bank', () => {
    expect(exemption(elsewhere)).toBeNull()
  })
})

describe('Trusted payees (RTS, article 13)', () => {
  test('need no approval for any amount, except for a series (article 14)', () => {
    expect(exemption({}, { isTrusted: true })).toBe('trusted-payee')
    expect(exemption({}, { isTrusted: true, isSeries: true })).toBeNull()
    expect(exemption({}, { isTrusted: false })).toBeNull()
  })
  test('are compared by their account at this bank, else by their IBAN', () => {
    expect(payeeOf({ ...order, creditorIban: 'DE1' })).toBe('arr_grace')
    expect(payeeOf({ ...order, ...elsewhere })).toBe('DE1')
  })
})

describe('Small amounts (RTS, article 16)', () => {
  const counter = (amountMinor: bigint, count: number) => ({ counter: { amountMinor, count } })
  const small = (amountMinor: bigint) => ({ amountMinor })

  test.each([
    ['30.00 EUR, the first one', small(30_00n), {}, 'low-value'],
    ['30.01 EUR', small(30_01n), {}, null],
    ['up to 100 EUR in total', small(10_00n), counter(90_00n, 3), 'low-value'],
    ['more than 100 EUR in total', small(10_01n), counter(90_00n, 3), null],
    ['the fifth in a row', small(1n), counter(4n, 4), 'low-value'],
    ['the sixth in a row', small(1n), counter(5n, 5), null],
    ['in another currency', { ...small(1n), currency: 'USD' }, {}, null],
    ['the first of a series', small(1n), { isSeries: true }, null],
    ['to another bank', { ...small(30_00n), ...elsewhere }, {}, 'low-value'],
  ])('%s', (_, changes, circumstances, expected) => {
    expect(exemption(changes, circumstances)).toBe(expected)
  })

  test('are counted until an approved payment', () => {
    let current = emptyCounter
    const made: bigint[] = []
    for (const amountMinor of [20_00n, 30_00n, 30_00n, 15_00n, 10_00n, 5_00n]) {
      if (exemption({ amountMinor }, { counter: current }) !== 'low-value') continue
      current = afterLowValue(current, amountMinor)
      made.push(amountMinor)
    }
    expect(made).toEqual([20_00n, 30_00n, 30_00n, 15_00n, 5_00n])
    expect(current).toEqual({ amountMinor: 100_00n, count: 5 })
    expect(exemption(small(1n), { counter: current })).toBeNull()
  })
})

describe('The canonical text', () => {
  const textOf = (lines: [string, string][], action = 'Payment', partyId = 'pty_ada') =>
    approvalText({ action, partyId, lines })

  test('has the amount, the payee and the debited account', () => {
    const lines = approvalLinesOf(order, [['On', '2026-03-04']])
    expect(lines).toEqual([
      ['Amount', '5000.00 EUR'],
      ['Payee', 'Grace'],
      ['Account of the payee', 'arr_grace'],
      ['From your account', 'arr_ada'],
      ['On', '2026-03-04'],
    ])
    expect(approvalLines(approvalText({ action: 'Payment', partyId: 'pty_ada', lines }))).toEqual(
      lines,
    )
  })

  test.each([
    ['amountMinor', 5_000_01n],
    ['currency', 'USD'],
    ['creditorName', 'Mallory'],
    ['creditorArrangementId', 'arr_mallory'],
    ['creditorIban', 'DE89370400440532013000'],
    ['debtorArrangementId', 'arr_ada_savings'],
    ['remittanceInformation', 'Rent'],
    ['endToEndId', 'invoice-7'],
  ] as const)('differs if %s of the payment differs', (member, value) => {
    const text = (changed: OrderedPayment) => textOf(approvalLinesOf(changed) as [string, string][])
    expect(text({ ...order, [member]: value })).not.toBe(text(order))
  })

  test('differs if any part differs, wherever a text could end', () => {
    const texts = [
      textOf([['Amount', '1 EUR']]),
      textOf([['Amount', '11 EUR']]),
      textOf([['Amount', '1 EUR"]']]),
      textOf([['Amount 1', 'EUR']]),
      textOf([['Amount', '1 EUR']], 'Loan'),
      textOf([['Amount', '1 EUR']], 'Payment', 'pty_grace'),
      textOf([
        ['Amount', '1 EUR'],
        ['Payee', ''],
      ]),
      textOf([['Amount', '1 EUR","Payee","']]),
    ]
    expect(new Set(texts).size).toBe(texts.length)
  })
})
