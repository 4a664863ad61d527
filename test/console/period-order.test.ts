/** What the console offers for a month, by the months before and after it. */
import { expect, test } from 'vitest'
import { orderOf, yearsAround } from '../../console/src/areas/general-ledger/period-order.ts'

const month = (id: string, state = 'OPEN') => {
  const [year, number] = id.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10)
  return { firstDay: `${id}-01`, lastDay, state }
}
const closed = (...ids: string[]) => ids.map((id) => month(id, 'CLOSED'))

test.each([
  [
    'December, after January of the next year',
    '2090-12',
    closed('2090-12', '2091-01'),
    [true, false],
  ],
  ['December, the last that is closed', '2090-12', closed('2090-11', '2090-12'), [false, false]],
  ['January, after December of the former year', '2091-01', closed('2090-12'), [false, true]],
  ['a month after one that is open', '2091-02', closed('2090-12'), [false, false]],
  ['any month, if none is closed', '2091-02', [], [false, true]],
  ['a soft closed month after a closed one', '2091-02', closed('2091-01'), [false, true]],
])('%s', (_, id, around, [isLaterClosed, isNext]) => {
  expect(orderOf(month(id), around)).toEqual({ isLaterClosed, isNext })
})

test('the years around the first and the last year are years of the bank', () => {
  expect(yearsAround(1900)).toEqual({ previousYear: 1900, fiscalYear: 1900, nextYear: 1901 })
  expect(yearsAround(9998)).toEqual({ previousYear: 9997, fiscalYear: 9998, nextYear: 9998 })
})
