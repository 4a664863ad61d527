import { describe, expect, test } from 'vitest'
import { characterCount, hasAtMost, shortened } from '../../../kernel/domain/text-length.ts'

describe('The characters of a text', () => {
  test.each([
    ['', 0],
    ['Zoë', 3],
    ['🎉'.repeat(140), 140],
    ['👨‍👩‍👧', 5],
  ])('%s', (text, count) => {
    expect(characterCount(text)).toBe(count)
    expect([hasAtMost(count, text), hasAtMost(count - 1, text)]).toEqual([true, false])
    expect(shortened(count, text)).toBe(text)
  })

  test('are cut off with an ellipsis, and none is divided', () => {
    expect(shortened(4, 'Zoë Brontë')).toBe('Zoë…')
    expect(shortened(3, '🎉'.repeat(140))).toBe('🎉🎉…')
    expect(shortened(1, 'ab')).toBe('…')
  })
})
