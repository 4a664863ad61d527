import {
  arrangementStates,
  type Arrangement,
} from '../../../subgraphs/accounts/model/arrangement.ts'
import { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requireEmpty } from '../../../subgraphs/accounts/domain/arrangement.ts'
import { ibanOf, isIban } from '../../../kernel/domain/iban.ts'
import {
  chooseParameters,
  type OfferedParameter,
} from '../../../subgraphs/accounts/domain/parameters.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'

test('actions of an account allow exactly the transitions of the state table', () => {
  const made = Object.values(arrangementStates.transitions).flatMap(({ from, to }) =>
    from.map((state) => `${state} → ${to}`),
  )
  const transitions = ArrangementState.values.flatMap((state) =>
    arrangementStates.table[state].map((to) => `${state} → ${to}`),
  )
  expect(made.sort()).toEqual(transitions.sort())
})

describe('closing an account', () => {
  const arrangement = { arrangementId: 'arr_1', state: 'pending-closure' } as Arrangement
  const now = new Date('2026-03-02T09:00:00Z')
  const empty = { committedMinor: 0n, pendingInMinor: 0n, pendingOutMinor: 0n, availableMinor: 0n }

  test('succeeds when every balance is zero', () => {
    expect(() => requireEmpty(arrangement, empty)).not.toThrow()
    const request = { now, subject: 'grace' }
    const closed = applyTransition(
      arrangementStates,
      'closeAccountArrangement',
      arrangement,
      request,
    )
    expect(closed).toMatchObject({ state: 'closed', closedAt: now })
  })

  test.each([
    { committedMinor: 1n },
    { committedMinor: -1n },
    { pendingInMinor: 1n },
    { pendingOutMinor: 1n },
  ])('is rejected with %o', (left) => {
    expect(() => requireEmpty(arrangement, { ...empty, ...left })).toThrow(
      expect.objectContaining({ code: 'ARRANGEMENT_NOT_EMPTY' }),
    )
  })
})

describe('account numbers', () => {
  test('are validated as IBANs, with their check digits', () => {
    expect(isIban('NL91ABNA0417164300')).toBe(true)
    expect(isIban('GB82WEST12345698765432')).toBe(true)
    expect(isIban('NL91ABNA0417164301')).toBe(false)
    expect(isIban('nonsense')).toBe(false)
  })

  test('are valid and unique for every serial number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (serial) => {
        const iban = ibanOf(serial)
        expect(iban).toMatch(/^NL\d{2}BKGR\d{10}$/)
        expect(isIban(iban)).toBe(true)
        expect(Number(iban.slice(8))).toBe(serial)
      }),
    )
  })
})

describe('product parameters of an account', () => {
  const offered = (type: OfferedParameter['type'], more: Partial<OfferedParameter> = {}) => [
    { name: 'x', type, minimum: null, maximum: null, default: null, ...more },
  ]
  const bounds = { minimum: '1', maximum: '10' }

  test.each([
    ['a number', offered('integer', bounds), { x: 10 }, { x: '10' }],
    ['a decimal string', offered('decimal', bounds), { x: '1.5' }, { x: '1.5' }],
    ['a boolean', offered('boolean'), { x: false }, { x: false }],
    ['a string', offered('text'), { x: 'hello' }, { x: 'hello' }],
    ['the default', offered('amount', { default: '5' }), {}, { x: '5' }],
    ['the default of a boolean', offered('boolean', { default: 'true' }), { x: null }, { x: true }],
    ['no value', offered('text'), {}, {}],
  ])('accepts %s', (_what, parameters, chosen, retained) => {
    expect(chooseParameters(parameters, chosen)).toEqual(retained)
  })

  test.each([
    ['a value above the maximum', offered('integer', bounds), { x: 11 }],
    ['a value below the minimum', offered('decimal', bounds), { x: '0.99' }],
    ['a fraction for an integer', offered('integer'), { x: 1.5 }],
    ['a huge number', offered('integer'), { x: 1e21 }],
    ['a number for a string', offered('text'), { x: 1 }],
    ['a string for a boolean', offered('boolean'), { x: 'true' }],
    ['a word for an amount', offered('amount'), { x: 'much' }],
    ['an object', offered('amount'), { x: {} }],
    ['a string that is too long', offered('text'), { x: 'x'.repeat(201) }],
    ['a name that is not offered', offered('text'), { y: 'hello' }],
    ['a name from Object.prototype', offered('text'), { constructor: 'hello' }],
  ])('rejects %s', (_what, parameters, chosen) => {
    try {
      chooseParameters(parameters, chosen)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      expect(error).toMatchObject({ code: 'PARAMETER_OUT_OF_RANGE' })
      expect((error as Problem).members.errors).toHaveLength(1)
    }
  })
})
