import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allocate,
  formatAmount,
  isCurrency,
  minorDigits,
  parseAmount,
} from '../../../kernel/domain/money.ts'

describe('parsing and formatting of amounts', () => {
  test.each([
    ['1250.00', 'EUR', 125_000n],
    ['1250', 'JPY', 1250n],
    ['0.001', 'KWD', 1n],
    ['-0.5', 'EUR', -50n],
    ['999999999999999.99', 'EUR', 99_999_999_999_999_999n],
    ['399999999999999.9999', 'CLF', 3_999_999_999_999_999_999n],
  ])('%s %s is parsed as %s minor units', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor)
  })

  test.each([
    ['1.005', 'EUR'],
    ['1.0', 'JPY'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['1,00', 'EUR'],
    ['.5', 'EUR'],
    ['+1', 'EUR'],
    ['1234567890123456', 'EUR'],
    ['999999999999999.9999', 'CLF'],
    ['-400000000000000', 'UYW'],
    [' 1', 'EUR'],
  ])('rejects %j in %s', (text, currency) => {
    expect(() => parseAmount(text, currency)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  test('a formatted amount parses back in every currency', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'USD', 'ISK')
    const minor = fc.bigInt({ min: 1n - 10n ** 15n, max: 10n ** 15n - 1n })
    fc.assert(
      fc.property(currency, minor, (code, amount) => {
        expect(parseAmount(formatAmount(amount, code), code)).toBe(amount)
      }),
    )
  })

  test('minor digits follow ISO 4217', () => {
    expect(['EUR', 'JPY', 'KWD', 'CLF'].map(minorDigits)).toEqual([2, 0, 3, 4])
    expect(isCurrency('EUR')).toBe(true)
    expect(isCurrency('eur')).toBe(false)
    expect(isCurrency('XYZ')).toBe(false)
  })
})

describe('allocation of an amount by weights', () => {
  test('adds up to the whole, with each part less than one unit off', () => {
    const weights = fc
      .array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 1, maxLength: 12 })
      .filter((all) => all.some((weight) => weight > 0n))
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), weights, (amount, shares) => {
        const parts = allocate(amount, shares)
        const total = shares.reduce((sum, share) => sum + share, 0n)
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount)
        parts.forEach((part, index) => {
          const off = part * total - amount * shares[index]!
          expect(off < 0n ? -off : off).toBeLessThan(total)
        })
      }),
    )
  })

  test('gives the remaining cent to the largest remainder', () => {
    expect(allocate(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n])
    expect(allocate(-100n, [1n, 1n, 1n])).toEqual([-34n, -33n, -33n])
  })
})
