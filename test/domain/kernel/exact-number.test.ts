import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseStrictJson } from '../../../gateway/strict-json.ts'
import { isExact } from '../../../kernel/domain/exact-number.ts'

test.each(['0', '-0', '1', '1.10', '0.1', '1e2', '100', '1E-7', '9007199254740992', '-12.50'])(
  '%s is represented exactly',
  (text) => expect(isExact(text)).toBe(true),
)

test.each([
  '12345678901234567890',
  '1e400',
  '-1e400',
  '9007199254740993',
  '0.1000000000000000055',
  '1e-400',
])('%s is not represented exactly', (text) => expect(isExact(text)).toBe(false))

test('a body with an inexact number is rejected with a pointer to it', () => {
  const parse = (text: string) => parseStrictJson(Buffer.from(text))
  for (const [text, pointer] of [
    ['{"a":{"b~/c":[1,12345678901234567890]}}', '/a/b~0~1c/1'],
    ['{"text":"1e400","n":1e400}', '/n'],
  ] as const) {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        members: expect.objectContaining({
          errors: [expect.objectContaining({ pointer, code: 'NUMBER_NOT_EXACT' })],
        }),
      }),
    )
  }
  expect(parse('{"text":"12345678901234567890 \\" 1e400"}')).toEqual({
    text: '12345678901234567890 " 1e400',
  })
})

test('every number that JavaScript formats is represented exactly', () =>
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isExact(String(value))).toBe(true)
    }),
  ))
