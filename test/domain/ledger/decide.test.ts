/** Properties of posting decisions as pure functions, without a database, so that thousands can run. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { internalAccount, type LedgerAccount } from '../../../ledger/domain/account.ts'
import {
  availableOf,
  emptyBalance,
  balanceAmountsOf,
  type Balance,
} from '../../../ledger/domain/balance.ts'
import { balanceKey, type Books } from '../../../ledger/domain/books.ts'
import { decideAll, Draft } from '../../../ledger/domain/draft.ts'
import type { Instruction, Outcome } from '../../../ledger/domain/instruction.ts'
import { isBalanced } from '../../../ledger/domain/posting.ts'

/** Set `LEDGER_RUNS=100000` for more runs. */
const numRuns = Number(process.env['LEDGER_RUNS'] ?? 1500)
const now = new Date('2026-03-02T09:00:00Z')

function account(accountId: string, currency = 'EUR'): LedgerAccount {
  return {
    accountId,
    code: 'customer',
    arrangementId: accountId,
    partyId: null,
    type: 'liability',
    normalSide: 'credit',
    currency,
    policy: 'guarded',
  }
}

const opened = new Map<string, Balance>([
  ['a', { ...emptyBalance(account('a')), committedCreditMinor: 500n }],
  ['b', emptyBalance(account('b'), { overdraftLimitMinor: 300n })],
  ['c', { ...emptyBalance(account('c')), committedCreditMinor: 900n }],
  ['usd', emptyBalance(account('usd', 'USD'))],
])
const empty: Books = {
  balance: (id) => {
    const own = internalAccount(id)
    return opened.get(id) ?? (own && emptyBalance(own))
  },
  authorization: () => null,
  posted: () => null,
}

const id = fc.constantFrom('a', 'b', 'c', 'usd', 'nobody')
const money = fc.record({
  amountMinor: fc.bigInt(-5n, 600n),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
})
const chain = fc.constantFrom('x', 'y', 'z')
const contraId = fc.constant('settlement/EUR')
const type = <Type extends string>(...types: Type[]) => fc.constantFrom(...types)
const movement = fc.oneof(
  fc.record({
    type: type('inbound-hard-settlement', 'outbound-hard-settlement'),
    accountId: id,
    contraId,
    money,
  }),
  fc.record({
    type: type('inbound-authorisation', 'outbound-authorisation'),
    accountId: id,
    contraId,
    money,
    clientTransactionId: chain,
    expiresAt: fc.option(fc.constantFrom(now, new Date(now.getTime() + 1))),
  }),
  fc.record({ type: type('authorisation-adjustment'), clientTransactionId: chain, money }),
  fc.record({
    type: type('settlement'),
    clientTransactionId: chain,
    money: fc.option(money),
    isFinal: fc.boolean(),
  }),
  fc.record({ type: type('release'), clientTransactionId: chain, isExpiry: fc.boolean() }),
  fc.record({
    type: type('transfer'),
    debtorId: id,
    creditorId: id,
    money,
    creditorMoney: fc.option(money),
  }),
  fc.record({ type: type('reversal'), reversesId: fc.nat(12).map((at) => `pin_${at}`) }),
)
const terms = fc.record({
  valueDate: fc.constantFrom('2026-03-02', '2026-03-02', '2026-02-01', '2025-12-01'),
  isAdvice: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
})
const instruction = fc
  .tuple(terms, movement)
  .map(
    ([request, updated]) => ({ clientTransactionId: null, ...request, ...updated }) as Instruction,
  )
const instructions = fc.array(instruction, { minLength: 1, maxLength: 12 })

const made = (at: number) => ({
  postingInstructionId: `pin_${at}`,
  clientId: 'test',
  actingFor: null,
  now,
})
const standings = (books: Books) =>
  [...opened.keys()].map((key) => balanceAmountsOf(books.balance(key, 'default')!))

/** Decides one instruction after the other and calls `look` after each. */
function play(
  request: readonly Instruction[],
  look: (books: Draft, outcome: Outcome, before: Draft, one: Instruction) => void,
): Draft {
  const draft = new Draft(empty)
  request.forEach((one, at) => {
    const before = new Draft(empty)
    before.merge(draft)
    const [outcome] = decideAll(draft, [one], [made(at)])
    look(draft, outcome!, before, one)
  })
  return draft
}

const always = (look: Parameters<typeof play>[1]) =>
  fc.assert(
    fc.property(instructions, (request) => void play(request, look)),
    { numRuns },
  )

describe('any posting decision', () => {
  test('accepted entries balance in each currency and phase and have positive amounts', () => {
    always((_, outcome) => {
      if (outcome.status === 'rejected') return
      expect(isBalanced(outcome.entries)).toBe(true)
      for (const { amountMinor } of outcome.entries) expect(amountMinor).toBeGreaterThan(0n)
    })
  })

  test('never lowers available funds below zero, except for an advice', () => {
    always((books, outcome, before, { isAdvice }) => {
      if (outcome.status === 'rejected' || isAdvice) return
      for (const key of opened.keys()) {
        const [then, after] = [before, books].map((one) =>
          availableOf(one.balance(key, 'default')!),
        )
        if (after! < then!) expect(after).toBeGreaterThanOrEqual(0n)
      }
    })
  })

  test('authorizations add up to settled, released and open, and pending balances equal the open ones', () => {
    always((books) => {
      const open = new Map<string, bigint>()
      for (const one of books.authorizations.values()) {
        expect(one.authorizedMinor).toBe(one.settledMinor + one.releasedMinor + one.openMinor)
        expect(one.openMinor).toBeGreaterThanOrEqual(0n)
        const key = `${one.accountId} ${one.direction}`
        open.set(key, (open.get(key) ?? 0n) + one.openMinor)
      }
      for (const key of opened.keys()) {
        const { pendingInMinor, pendingOutMinor } = balanceAmountsOf(books.balance(key, 'default')!)
        expect(pendingInMinor).toBe(open.get(`${key} in`) ?? 0n)
        expect(pendingOutMinor).toBe(open.get(`${key} out`) ?? 0n)
      }
    })
  })

  test('a rejected instruction changes nothing and has violations', () => {
    always((books, outcome, before) => {
      if (outcome.status === 'accepted') return
      expect(outcome.violations.length).toBeGreaterThan(0)
      expect(books.balances).toEqual(before.balances)
      expect(books.authorizations).toEqual(before.authorizations)
      expect(books.posts).toEqual(before.posts)
    })
  })

  test('entries are numbered consecutively and carry the balance after them', () => {
    always((books, outcome, before) => {
      if (outcome.status === 'rejected') return
      const counts = new Map<string, number>()
      for (const { accountId, sequence, after } of outcome.entries) {
        if (sequence === null) continue
        const count = counts.get(accountId) ?? before.balance(accountId, 'default')!.entryCount
        expect(sequence).toBe(count + 1)
        counts.set(accountId, sequence)
        const isLast = sequence === books.balance(accountId, 'default')!.entryCount
        if (isLast) expect(after).toEqual(balanceAmountsOf(books.balance(accountId, 'default')!))
      }
    })
  })

  test('changes only balances that the decision has read', () => {
    always((books) => {
      for (const key of books.balances.keys()) expect(books.readBalances.has(key)).toBe(true)
    })
  })
})

test('a reversal restores the previous balances, and a posting is reversed only once', () => {
  const back = (reversesId: string): Instruction => ({
    type: 'reversal',
    reversesId,
    valueDate: '2026-03-02',
    isAdvice: true,
    clientTransactionId: null,
  })
  fc.assert(
    fc.property(instructions, instruction, (request, last) => {
      const books = play(request, () => undefined)
      const before = standings(books)
      const [done] = decideAll(books, [last], [made(100)])
      const [reversed] = decideAll(books, [back('pin_100')], [made(101)])
      const pending = new Set(['settlement', 'release', 'reversal', 'authorisation-adjustment'])
      const isUndone = done!.status === 'accepted' && reversed!.status === 'accepted'
      if (!isUndone || pending.has(last.type)) return
      expect(standings(books)).toEqual(before)
      const [again] = decideAll(books, [back('pin_100')], [made(102)])
      expect(again).toMatchObject({ violations: [{ code: 'ALREADY_REVERSED' }] })
    }),
    { numRuns },
  )
})

test('a batch has the result of its instructions one by one, or none at all', () => {
  fc.assert(
    fc.property(fc.array(instruction, { minLength: 2, maxLength: 6 }), (request) => {
      let isFine = true
      const single = play(request, (_, { status }) => void (isFine &&= status === 'accepted'))
      const batch = new Draft(empty)
      const outcomes = decideAll(
        batch,
        request,
        request.map((_, at) => made(at)),
      )
      const statuses = new Set(outcomes.map(({ status }) => status))
      expect(statuses).toEqual(new Set([isFine ? 'accepted' : 'rejected']))
      expect(standings(batch)).toEqual(standings(isFine ? single : new Draft(empty)))
    }),
    { numRuns },
  )
})

test("a posting is booked at one instant, never before an account's latest booking", () => {
  const later = new Date(now.getTime() + 60_000)
  const last = { ...opened.get('a')!, lastBookedAt: later }
  const books: Books = {
    ...empty,
    balance: (key, at) => (key === 'a' ? last : empty.balance(key, at)),
  }
  const draft = new Draft(books)
  const amount = { amountMinor: 1n, currency: 'EUR' }
  const request: Instruction = {
    type: 'transfer',
    debtorId: 'a',
    creditorId: 'b',
    money: amount,
    creditorMoney: null,
    valueDate: '2026-03-02',
    isAdvice: false,
    clientTransactionId: null,
  }
  expect(decideAll(draft, [request], [made(0)])).toMatchObject([{ bookedAt: later }])
  for (const key of ['a', 'b']) {
    expect(draft.balances.get(balanceKey(key, 'default'))!.lastBookedAt).toEqual(later)
  }
})
