/** Comma-separated values, as RFC 4180 defines them. */
import { expect, test } from 'vitest'
import { csvOf } from '../../../kernel/domain/csv.ts'

test.each([
  ['a, b', '"a, b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['+49', "'+49"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['-12.50', '-12.50'],
  ['', ''],
])('writes %j as %j', (text, written) => {
  expect(csvOf(['a'], [{ a: text }], false)).toBe(`${written}\r\n`)
})

test('has the columns in their order, with a header unless it is a continuation', () => {
  const rows = [{ a: '1', b: 'x, y' }]
  expect(csvOf(['b', 'a'], rows)).toBe('b,a\r\n"x, y",1\r\n')
  expect(csvOf(['b', 'a'], rows, false)).toBe('"x, y",1\r\n')
  expect(csvOf(['b', 'a'], [], false)).toBe('')
})
