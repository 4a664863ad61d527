import { expect, test } from 'vitest'
import { requireStorableJson } from '../../../kernel/domain/unstorable.ts'

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 'x')

test.each([
  ['NUL', { a: 'x\0y' }, '/a', 'NUL_CHARACTER'],
  ['a lone surrogate', { a: ['\ud800'] }, '/a/0', 'LONE_SURROGATE'],
  ['a reserved key', JSON.parse('{"a":{"__proto__":1}}') as object, '/a/__proto__', 'KEY_RESERVED'],
  [
    'a reserved key whose path needs escaping',
    { 'b/c': { constructor: 1 } },
    '/b~1c/constructor',
    'KEY_RESERVED',
  ],
  ['a key with NUL', { 'a\0': 1 }, '/a\0', 'NUL_CHARACTER'],
])('rejects %s with a pointer to it', (_what, value, pointer, code) => {
  expect(() => requireStorableJson(value)).toThrow(
    expect.objectContaining({
      members: expect.objectContaining({ errors: [expect.objectContaining({ pointer, code })] }),
    }),
  )
})

test('accepts 20 levels of nesting and rejects 21', () => {
  expect(() => requireStorableJson(nested(20))).not.toThrow()
  expect(() => requireStorableJson(nested(21))).toThrow(/nested deeper/)
})

test('accepts text of any script', () => {
  expect(() =>
    requireStorableJson({ a: 'Ünïcödé 漢字 👩‍👩‍👧 \u202e\t\n', b: [1, null, true] }),
  ).not.toThrow()
})
