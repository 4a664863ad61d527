import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAnswer, encodeAnswer } from '../../../subgraphs/_kernel/answer.ts'

const names = fc.oneof(
  fc.constantFrom('$date', '$bigint', '$$date', '$$$bigint', '$', '', '__proto__', 'constructor'),
  fc.string(),
)

/** Whatever a command may answer: JSON with hostile keys, dates and big integers anywhere in it. */
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

test('whatever was answered reads back as it was given', () => {
  fc.assert(
    fc.property(answer, (value) => {
      expect(isDeepStrictEqual(decodeAnswer(encodeAnswer(value)), value)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a text that was given once reads the same after any number of rounds', () => {
  const value = { x: { $date: '2026' }, y: { $bigint: 'x1' }, z: { $date: { $date: [1n] } } }
  const twice = decodeAnswer(encodeAnswer(decodeAnswer(encodeAnswer(value))))
  expect(twice).toStrictEqual(value)
})

test('members without a value are left out, as they are on the wire', () => {
  const value = { a: undefined, b: null, c: () => 1 }
  expect(decodeAnswer(encodeAnswer(value))).toStrictEqual({ b: null })
})

test.each(['__proto__', 'constructor'])('a key %s changes no prototype', (name) => {
  const text = `{"x":{${JSON.stringify(name)}:{"polluted":1},"at":{"$date":"2026-01-01T00:00:00.000Z"}}}`
  const { x } = decodeAnswer(text) as { x: object }
  expect(Object.getPrototypeOf(x)).toBe(Object.prototype)
  expect(Object.hasOwn(x, name)).toBe(true)
  expect(isDeepStrictEqual(decodeAnswer(encodeAnswer({ x })), { x })).toBe(true)
})
