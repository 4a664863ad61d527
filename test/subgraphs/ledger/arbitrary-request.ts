import * as fc from 'fast-check'
import type { LedgerRequest } from './reference.ts'

const account = fc.constantFrom('a0', 'a1', 'a2', 'usd', 'jpy', 'a0', 'a1', 'nobody')
const chain = fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'c5')
const currency = fc.constantFrom('', '', '', '', '', '', '', 'USD')
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 1, arbitrary: fc.constant(0) },
)
const positive = fc.integer({ min: 1, max: 900 })
const advice = fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0)
const start = Date.parse('2026-03-02T09:00:00.000Z')
const expiresAt = fc.option(
  fc.integer({ min: 0, max: 40 }).map((hours) => start + hours * 3_600_000),
)

/** Any instruction, valid or not, on few accounts and authorizations, so that they interact. */
export const request: fc.Arbitrary<LedgerRequest> = fc.oneof(
  fc.record({ does: fc.constant('in' as const), account, amount, currency, advice }),
  fc.record({ does: fc.constant('in' as const), account, amount, currency, advice }),
  fc.record({ does: fc.constant('out' as const), account, amount, currency, advice }),
  fc.record({
    does: fc.constant('authorize' as const),
    account,
    isOut: fc.boolean(),
    amount,
    currency,
    chain,
    expiresAt,
    advice,
  }),
  fc.record({
    does: fc.constant('adjust' as const),
    chain,
    amount: fc.integer({ min: -400, max: 400 }),
    currency,
    advice,
  }),
  fc.record({
    does: fc.constant('settle' as const),
    chain,
    amount: fc.option(amount),
    isFinal: fc.boolean(),
    currency,
    advice,
  }),
  fc.record({ does: fc.constant('release' as const), chain }),
  fc.record({
    does: fc.constant('transfer' as const),
    from: account,
    to: account,
    amount,
    currency,
    arrives: fc.option(fc.record({ amount: positive, currency })),
    advice,
  }),
  fc.record({
    does: fc.constant('custom' as const),
    lines: fc.array(
      fc.record({
        account,
        amount: fc.oneof(
          positive,
          positive.map((value) => -value),
        ),
        currency,
      }),
      { minLength: 2, maxLength: 4 },
    ),
    advice,
  }),
  fc.record({ does: fc.constant('reverse' as const), posting: fc.nat(50).map(String), advice }),
)
