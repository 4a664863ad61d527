import { expect, test } from 'vitest'
import { refuseUnstorable } from '../../../subgraphs/_kernel/domain/unstorable.ts'

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 'x')

test.each([
  ['NUL', { a: 'x\0y' }, '/a', 'NUL_CHARACTER'],
  ['half a surrogate pair', { a: ['\ud800'] }, '/a/0', 'LONE_SURROGATE'],
  ['a reserved key', JSON.parse('{"a":{"__proto__":1}}') as object, '/a/__proto__', 'KEY_RESERVED'],
  ['a hostile key', { 'b/c': { constructor: 1 } }, '/b~1c/constructor', 'KEY_RESERVED'],
  ['a key with NUL', { 'a\0': 1 }, '/a\0', 'NUL_CHARACTER'],
])('%s is refused with its place', (_what, value, pointer, code) => {
  expect(() => refuseUnstorable(value)).toThrow(
    expect.objectContaining({
      members: expect.objectContaining({ errors: [expect.objectContaining({ pointer, code })] }),
    }),
  )
})

test('20 levels pass, 21 do not', () => {
  expect(() => refuseUnstorable(nested(20))).not.toThrow()
  expect(() => refuseUnstorable(nested(21))).toThrow(/Nested deeper/)
})

test('ordinary text of any script passes', () => {
  expect(() =>
    refuseUnstorable({ a: 'Ünïcödé 漢字 👩‍👩‍👧 \u202e\t\n', b: [1, null, true] }),
  ).not.toThrow()
})
