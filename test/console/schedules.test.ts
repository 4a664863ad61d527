import { expect, test } from 'vitest'
import { difference } from '../../console/src/areas/lending/amounts.ts'
import { scheduleRows } from '../../console/src/areas/lending/schedule-rows.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

test.each([
  ['10.00', '12.50', '-2.50'],
  ['0.10', '0.20', '-0.10'],
  ['9007199254740993.01', '0.01', '9007199254740993.00'],
  ['1500', '1', '1499'],
  ['-5.00', '5.00', '-10.00'],
])('the difference of %s and %s is exactly %s', (amount, subtracted, expected) => {
  expect(difference(eur(amount), eur(subtracted))).toEqual(eur(expected))
})

test('a chart distinguishes paid, due and planned installments, and adds dates of another schedule', () => {
  const installment = { payment: '110', interest: '10', principal: '100', balance: '200' }
  const rows = scheduleRows(
    [
      { ...installment, number: 1, dueDate: '2026-01-31', status: 'PAID' },
      { ...installment, number: 2, dueDate: '2026-02-28', status: 'PARTLY_PAID' },
      { ...installment, number: 3, dueDate: '2026-03-31', status: 'UPCOMING' },
    ],
    [{ ...installment, number: 4, dueDate: '2026-04-30', balance: '50' }],
  )
  expect(rows.map(({ dueDate, phase }) => [dueDate, phase])).toEqual([
    ['2026-01-31', 'paid'],
    ['2026-02-28', 'due'],
    ['2026-03-31', 'planned'],
    ['2026-04-30', null],
  ])
  expect(rows[1]).toMatchObject({ 'principal-due': 100, 'interest-due': 10 })
  expect(rows[3]).toMatchObject({ balance: null, comparedBalance: 50 })
})
