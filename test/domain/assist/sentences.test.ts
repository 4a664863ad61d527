import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sentences } from '../../../subgraphs/assist/domain/sentences.ts'

function inPieces(text: string, lengths: readonly number[]) {
  const sentences = new Sentences()
  const told: string[] = []
  let from = 0
  for (const length of [...lengths, text.length]) {
    told.push(...sentences.push(text.slice(from, from + length)))
    from = Math.min(from + length, text.length)
  }
  const rest = sentences.rest()
  return rest ? [...told, rest] : told
}

test('sentences, one after the other', () => {
  const text = 'You have 1,250.50 EUR. Of these 3.5 are held (see arr_1.x).  \nMore?\n\nNo!'
  expect(inPieces(text, [])).toEqual([
    'You have 1,250.50 EUR. ',
    'Of these 3.5 are held (see arr_1.x).  \n',
    'More?\n\n',
    'No!',
  ])
})

test('however the text comes, the sentences are the same and nothing is lost', () => {
  const word = fc.constantFrom('I', 'have', ' ', '.', '!', '?', '\n', '1.5', '"', ')', '[IBAN_1]')
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 0, max: 7 })), (said, lengths) => {
      const told = inPieces(said, lengths)
      expect(told.join('')).toBe(said)
      expect(told).toEqual(inPieces(said, []))
    }),
  )
})
