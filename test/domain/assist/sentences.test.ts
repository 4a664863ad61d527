import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sentences } from '../../../subgraphs/assist/domain/sentences.ts'

function inPieces(text: string, lengths: readonly number[]) {
  const sentences = new Sentences()
  const found: string[] = []
  let from = 0
  for (const length of [...lengths, text.length]) {
    found.push(...sentences.push(text.slice(from, from + length)))
    from = Math.min(from + length, text.length)
  }
  const rest = sentences.rest()
  return rest ? [...found, rest] : found
}

test('splits a text into sentences and ignores periods in numbers and ids', () => {
  const text = 'You have 1,250.50 EUR. Of these 3.5 are held (see arr_1.x).  \nMore?\n\nNo!'
  expect(inPieces(text, [])).toEqual([
    'You have 1,250.50 EUR. ',
    'Of these 3.5 are held (see arr_1.x).  \n',
    'More?\n\n',
    'No!',
  ])
})

test('yields the same sentences however the text is chunked', () => {
  const word = fc.constantFrom('I', 'have', ' ', '.', '!', '?', '\n', '1.5', '"', ')', '[IBAN_1]')
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 0, max: 7 })), (described, lengths) => {
      const sentences = inPieces(described, lengths)
      expect(sentences.join('')).toBe(described)
      expect(sentences).toEqual(inPieces(described, []))
    }),
  )
})
