import { expect, test } from 'vitest'
import { maxEntries, reachOf } from '../../../subgraphs/general-ledger/domain/batch.ts'

const end = 100n
const posting = (position: number, entries: number) => ({ position: String(position), entries })

test('postings with few entries are dated in one commit', () => {
  expect(reachOf([], end)).toBe(end)
  expect(reachOf([posting(3, 2), posting(99, maxEntries - 2)], end)).toBe(end)
})

test('a commit ends before the posting with too many entries', () => {
  expect(reachOf([posting(3, 2), posting(7, maxEntries - 1), posting(8, 2)], end)).toBe(6n)
})

test('a posting with too many entries is dated alone', () => {
  expect(reachOf([posting(3, maxEntries + 1)], end)).toBe(end)
  expect(reachOf([posting(3, maxEntries + 1), posting(4, 1)], end)).toBe(3n)
})
