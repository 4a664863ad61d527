import { describe, expect, test } from 'vitest'
import { paragraphsOf } from '../../../kernel/domain/letter-text.ts'

describe('the paragraphs of a letter', () => {
  test('are the lines of plain text', () => {
    expect(paragraphsOf('Dear Ada,\n\n  1 < 2  \r\nYour bank', false)).toEqual([
      'Dear Ada,',
      '1 < 2',
      'Your bank',
    ])
  })

  test('are the blocks of HTML without tags, styles and comments', () => {
    const html =
      '<html><head><title>x</title></head><body><style>p { color: red }</style><!-- note -->' +
      '<p>Dear <b>Ada</b> &amp; Bob,</p><ul><li>12.00&nbsp;EUR</li><li>5 &lt; 6 &#8364; &#x41;</li></ul>' +
      'Regards<br/>Your\n bank &unknown;</body></html>'
    expect(paragraphsOf(html, true)).toEqual([
      'Dear Ada & Bob,',
      '12.00 EUR',
      '5 < 6 € A',
      'Regards',
      'Your bank &unknown;',
    ])
  })
})
