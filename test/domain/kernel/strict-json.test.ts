import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStrictJson } from '../../../gateway/strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))
const malformed = expect.objectContaining({ code: 'MALFORMED_JSON' })

describe('a body is taken as it was sent or not at all', () => {
  test.each([
    ['nothing', ''],
    ['trailing text', '{} x'],
    ['NaN', '{"a":NaN}'],
    ['single quotes', "{'a':1}"],
    ['a byte order mark', '\ufeff{}'],
    ['an unfinished string', '{"a":"b'],
    ['a name twice', '{"a":1,"a":2}'],
    ['a name twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a name twice, deep', '[{"x":{"b":1,"c":[{}],"b":3}}]'],
    ['21 arrays', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['200,000 arrays', '['.repeat(200_000)],
  ])('%s is malformed', (_what, text) => expect(() => parse(text)).toThrow(malformed))

  test('bytes that are not UTF-8 are malformed', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(malformed)
    expect(() => parseStrictJson(Buffer.from('{"a":1}', 'utf16le'))).toThrow(malformed)
  })

  test('names may repeat in different objects, and values may look like names', () => {
    const text = '{"a":{"b":"a"},"b":[{"a":"b"},{"a":"}{,:"}],"c":"\\""}'
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test('it reads what JSON.stringify writes', () => {
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
