/** What a person types for the command `bankgraph`. */
import { describe, expect, test } from 'vitest'
import { addDuration, setMembers } from '../../sdk/cli/input.ts'

describe('The input of the command line', () => {
  test.each([
    ['2026-01-31T09:30:00.000Z', '1m', '2026-02-28T09:30:00.000Z'],
    ['2024-01-31T09:30:00.000Z', '1m', '2024-02-29T09:30:00.000Z'],
    ['2024-02-29T00:00:00.000Z', '1y', '2025-02-28T00:00:00.000Z'],
    ['2026-11-25T00:00:00.000Z', '2w', '2026-12-09T00:00:00.000Z'],
  ])('%s and %s later is %s', (from, duration, to) => {
    expect(addDuration(new Date(from), duration).toISOString()).toBe(to)
  })

  test('a duration without a unit is explained', () => {
    expect(() => addDuration(new Date(), '3')).toThrow('10d, 2w, 1m')
  })

  test.each([
    ['2027-03-31', '1m', '2027-02-28'],
    ['2027-03-01', '1w', '2027-02-22'],
    ['2028-02-29', '1y', '2027-02-28'],
  ])('%s minus %s is %s', (from, duration, to) => {
    const time = addDuration(new Date(from), duration, -1)
    expect(time.toISOString().slice(0, 10)).toBe(to)
  })

  test('members are set in depth, as JSON where it is JSON', () => {
    const body = { amount: { amount: '1.00' } }
    setMembers(body, ['amount.currency=EUR', 'count=3', 'text="3"', 'a=b=c'])
    expect(body).toEqual({
      amount: { amount: '1.00', currency: 'EUR' },
      count: 3,
      text: '3',
      a: 'b=c',
    })
    expect(() => setMembers({}, ['nothing'])).toThrow('a.b=c')
  })

  test.each([
    ['amount.amount=1.00', { amount: { amount: '1.00' } }],
    ['amount=50', { amount: '50' }],
    ['rate=5.250', { rate: '5.250' }],
    ['term=12', { term: 12 }],
    ['isOpen=true', { isOpen: true }],
  ])('%s is what the bank reads', (setting, body) => {
    const target = {}
    setMembers(target, [setting])
    expect(target).toEqual(body)
  })
})
