import { describe, expect, test } from 'vitest'
import { characterCount, hasAtMost } from '../../../kernel/domain/text-length.ts'

describe('The characters of a text', () => {
  test.each([
    ['', 0],
    ['Zoë', 3],
    ['🎉'.repeat(140), 140],
    ['👨‍👩‍👧', 5],
  ])('%s', (text, count) => {
    expect(characterCount(text)).toBe(count)
    expect([hasAtMost(count, text), hasAtMost(count - 1, text)]).toEqual([true, false])
  })
})
