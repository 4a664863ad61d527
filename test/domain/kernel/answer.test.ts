import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeResponse, encodeResponse } from '../../../kernel/writing/answer.ts'

const names = fc.oneof(
  fc.constantFrom('$date', '$bigint', '$$date', '$$$bigint', '$', '', '__proto__', 'constructor'),
  fc.string(),
)

/** Anything a command may return: JSON with hostile keys, and dates and big integers anywhere in it. */
const { answer } = fc.letrec((tie) => ({
  answer: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, '$date', '{"$date":1}', '2026-01-01T00:00:00.000Z'),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.date({ noInvalidDate: true }),
    fc.bigInt(),
    fc.array(tie('answer'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('answer')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}))

test('any result decodes to what was encoded', () => {
  fc.assert(
    fc.property(answer, (value) => {
      expect(isDeepStrictEqual(decodeResponse(encodeResponse(value)), value)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('values that look like the encoding survive repeated encoding and decoding', () => {
  const value = { x: { $date: '2026' }, y: { $bigint: 'x1' }, z: { $date: { $date: [1n] } } }
  const twice = decodeResponse(encodeResponse(decodeResponse(encodeResponse(value))))
  expect(twice).toStrictEqual(value)
})

test('members without a value are omitted, as in JSON', () => {
  const value = { a: undefined, b: null, c: () => 1 }
  expect(decodeResponse(encodeResponse(value))).toStrictEqual({ b: null })
})

test.each(['__proto__', 'constructor'])(
  'decoding a key named %s does not change a prototype',
  (name) => {
    const text = `{"x":{${JSON.stringify(name)}:{"polluted":1},"at":{"$date":"2026-01-01T00:00:00.000Z"}}}`
    const { x } = decodeResponse(text) as { x: object }
    expect(Object.getPrototypeOf(x)).toBe(Object.prototype)
    expect(Object.hasOwn(x, name)).toBe(true)
    expect(isDeepStrictEqual(decodeResponse(encodeResponse({ x })), { x })).toBe(true)
  },
)
