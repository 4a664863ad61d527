import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStrictJson } from '../../../gateway/strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))
const malformed = expect.objectContaining({ code: 'MALFORMED_JSON' })

describe('strict JSON parser', () => {
  test.each([
    ['an empty body', ''],
    ['trailing text', '{} x'],
    ['NaN', '{"a":NaN}'],
    ['single quotes', "{'a':1}"],
    ['a byte order mark', '\ufeff{}'],
    ['an unfinished string', '{"a":"b'],
    ['a duplicate name', '{"a":1,"a":2}'],
    ['a duplicate name, once escaped', '{"a":1,"\\u0061":2}'],
    ['a duplicate name in a nested object', '[{"x":{"b":1,"c":[{}],"b":3}}]'],
    ['21 nested arrays', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['200,000 nested arrays', '['.repeat(200_000)],
  ])('rejects %s as malformed', (_what, text) => expect(() => parse(text)).toThrow(malformed))

  test('rejects bytes that are not UTF-8', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(malformed)
    expect(() => parseStrictJson(Buffer.from('{"a":1}', 'utf16le'))).toThrow(malformed)
  })

  test('accepts equal names in different objects and values that look like names', () => {
    const text = '{"a":{"b":"a"},"b":[{"a":"b"},{"a":"}{,:"}],"c":"\\""}'
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test('parses everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        if (/__proto__|constructor|prototype/.test(text)) return
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })
})
