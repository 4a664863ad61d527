import { describe, expect, test } from 'vitest'
import {
  bucketLabel,
  bucketOf,
  bucketsOf,
  readBuckets,
} from '../../../subgraphs/lending/domain/servicing/delinquency-bucket.ts'
import { random } from '../../kit/random.ts'

describe('delinquency buckets', () => {
  test('are read from a parameter with their first days', () => {
    expect(readBuckets('1,30,60,90')).toBe('1,30,60,90')
    expect(readBuckets('1, 30, 60, 90')).toBe('1,30,60,90')
    expect(readBuckets('5')).toBe('5')
  })

  test.each([null, '', '0,30', '30,30', '60,30', '1;30', '1,30,', '1.5', '-1', '12345'])(
    'are none for the parameter %s',
    (parameter) => {
      expect(readBuckets(parameter)).toBe('')
    },
  )

  test('have labels, and the last one has no end', () => {
    expect(bucketsOf('1,30,60,90')).toEqual([
      { label: '1-29', fromDays: 1, toDays: 29 },
      { label: '30-59', fromDays: 30, toDays: 59 },
      { label: '60-89', fromDays: 60, toDays: 89 },
      { label: '90+', fromDays: 90, toDays: null },
    ])
    expect(bucketsOf('')).toEqual([])
  })

  test.each([
    [0, null],
    [1, '1-29'],
    [29, '1-29'],
    [30, '30-59'],
    [59, '30-59'],
    [60, '60-89'],
    [90, '90+'],
    [4000, '90+'],
  ] as const)('with %i days past due are %s', (days, label) => {
    expect(bucketLabel('1,30,60,90', days)).toBe(label)
  })

  test('do not overlap and leave no gap, whatever their first days are', () => {
    const next = random(20260402)
    const below = (limit: number) => Math.floor(next() * limit)
    for (let round = 0; round < 200; round++) {
      const days = new Set(Array.from({ length: 1 + (round % 12) }, () => below(400) + 1))
      const starts = [...days].toSorted((one, other) => one - other)
      const text = readBuckets(starts.join(','))
      const pastDue = below(500)
      const expected = starts.filter((start) => start <= pastDue).length - 1
      const label = bucketLabel(text, pastDue)
      const buckets = bucketsOf(text)
      expect(buckets.findIndex((bucket) => bucket.label === label)).toBe(expected)
      const containing = buckets.filter(
        ({ fromDays, toDays }) => fromDays <= pastDue && (toDays === null || pastDue <= toDays),
      )
      expect(containing.map((bucket) => bucket.label)).toEqual(label === null ? [] : [label])
      expect(bucketOf({ delinquencyBuckets: text, delinquencyBucket: label })?.label ?? null).toBe(
        label,
      )
    }
  })
})
