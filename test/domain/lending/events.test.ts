import type { Holiday } from '../../../subgraphs/lending/model/schedules/schedule.ts'
import { describe, expect, test } from 'vitest'
import type { Loan } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { ofPercent } from '../../../kernel/domain/rational.ts'
import { standingOn } from '../../../subgraphs/lending/domain/schedules/standing.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { aLoan, lines, schedule } from './kit.ts'

/** The pointers and codes of the errors with which a loan is rejected. */
function refusal(loan: Loan): string[] {
  try {
    schedule(loan)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.members.errors as ValidationError[]).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    )
  }
  return []
}

const paused = (holiday: Partial<Holiday>, terms = {}) =>
  aLoan(terms, {
    holidays: [
      {
        fromInstallment: 4,
        installments: 2,
        type: 'full',
        interest: 'capitalise',
        term: 'extend',
        ...holiday,
      },
    ],
  })

describe('payment holiday over installments 4 and 5 of 12', () => {
  // Installments 4 and 6, the number of installments, and the total interest, which is 393.58 without a holiday.
  test.each([
    [
      'full',
      'capitalise',
      'extend',
      '0 4533 -4533 911232',
      '104315 4579 99736 816052',
      14,
      48_673n,
    ],
    [
      'full',
      'capitalise',
      'keep-maturity',
      '0 4533 -4533 911232',
      '133457 4579 128878 786910',
      12,
      44_036n,
    ],
    [
      'full',
      'capitalise',
      'keep-instalment',
      '0 4533 -4533 911232',
      '103280 4579 98701 817087',
      15,
      48_911n,
    ],
    ['full', 'defer', 'extend', '0 4533 0 906699', '112346 4533 98747 807952', 14, 48_424n],
    ['full', 'defer', 'keep-maturity', '0 4533 0 906699', '141198 4533 127599 779100', 12, 43_828n],
    ['full', 'waive', 'extend', '0 0 0 906699', '103280 4533 98747 807952', 14, 39_358n],
    ['full', 'waive', 'keep-maturity', '0 0 0 906699', '132132 4533 127599 779100', 12, 34_762n],
    [
      'principal-only',
      'defer',
      'extend',
      '4533 4533 0 906699',
      '103280 4533 98747 807952',
      14,
      48_424n,
    ],
    [
      'principal-only',
      'capitalise',
      'keep-maturity',
      '4533 4533 0 906699',
      '132132 4533 127599 779100',
      12,
      43_828n,
    ],
    ['principal-only', 'waive', 'extend', '0 0 0 906699', '103280 4533 98747 807952', 14, 39_358n],
  ] as const)(
    'schedules a %s holiday, interest %s, term %s',
    (type, interest, term, fourth, sixth, count, cost) => {
      const table = schedule(paused({ type, interest, term }))
      const all = lines(table)
      expect([all[3], all[5]]).toEqual([`4: ${fourth}`, `6: ${sixth}`])
      expect(all).toHaveLength(count)
      expect(table.totalInterestMinor).toBe(cost)
    },
  )

  test('shifts the installments of equal principal unchanged', () => {
    const all = lines(schedule(paused({ interest: 'defer' }, { method: 'equal-principal' })))
    expect(all).toHaveLength(14)
    expect(all[5]).toBe('6: 113500 4500 100000 800000')
  })

  test('keep-instalment from the first installment on keeps the installment without the holiday', () => {
    const table = schedule(paused({ fromInstallment: 1, term: 'keep-instalment' }))
    expect(table.installments[2]!.paymentMinor).toBe(103_280n)
  })

  test('rejects a holiday that leaves no installment, adds too many, or prevents repayment', () => {
    expect(refusal(paused({ fromInstallment: 11, term: 'keep-maturity' }))).toEqual([
      '/holidays/0/installments NO_INSTALMENT_LEFT',
    ])
    expect(refusal(paused({ installments: 1199 }))).toEqual([
      '/holidays/0/installments TOO_MANY_INSTALMENTS',
    ])
    expect(refusal(paused({ fromInstallment: 13 }))).toEqual([
      '/holidays/0/fromInstallment AFTER_THE_END',
    ])
    const long = { installments: 36, term: 'keep-instalment' } as const
    expect(refusal(paused(long, { installments: 360, annualRate: { num: 3n, den: 10n } }))).toEqual(
      ['/holidays/0/term NEVER_REPAID'],
    )
  })
})

describe('extra payments of 2,000.00', () => {
  const paid = (
    on: string,
    strategy: Loan['extraPayments'][number]['strategy'],
    amountMinor = 200_000n,
  ) => aLoan({}, { extraPayments: [{ on, amountMinor, strategy }] })

  test('on a due date apply after the installment', () => {
    const lower = schedule(paid('2026-04-01', 'reduce-instalment'))
    expect(lines(lower)[2]).toBe('3: 103280 5025 98255 906699')
    expect(lines(lower)[3]).toBe('4: 80498 3533 76965 629734')
    expect(lower.totalInterestMinor).toBe(34_324n)
  })

  test('reduce-instalment never raises the installment, however small the payment', () => {
    // 1,000.03 at 15% over ten years: recalculated in June 2027, the installment of 16.13 would round up.
    const cent = aLoan(
      { installments: 120, annualRate: ofPercent('15') },
      {
        disbursements: [{ on: '2026-01-01', amountMinor: 100_003n }],
        extraPayments: [{ on: '2027-06-01', amountMinor: 1n, strategy: 'reduce-instalment' }],
      },
    )
    const { installments } = schedule(cent)
    expect([0, 16, 17].map((place) => installments[place]!.paymentMinor)).toEqual(
      Array(3).fill(1613n),
    )
  })

  test('reduce-term shortens the term and keeps the installment', () => {
    const { installments, totalInterestMinor } = schedule(paid('2026-04-01', 'reduce-term'))
    expect(installments).toHaveLength(10)
    expect(lines({ installments } as never).at(-1)).toBe('10: 101193 503 100690 0')
    expect(totalInterestMinor).toBe(30_713n)
  })

  test('prepay-next reduces the next installments: to zero, then in part, then not at all', () => {
    const all = lines(schedule(paid('2026-04-01', 'prepay-next')))
    expect(all.slice(3, 6)).toEqual([
      '4: 0 3533 0 706699',
      '5: 6560 3533 0 706699',
      '6: 103280 3533 99241 607458',
    ])
    expect(all).toHaveLength(12)
  })

  test('between due dates pay the interest accrued to that day first', () => {
    const { installments } = schedule(paid('2026-04-11', 'reduce-term'))
    // 10 of 30 days: 15.11; then 20 days on 9,066.99 − (2,000.00 − 15.11).
    expect(lines({ installments } as never)[3]).toBe('4: 103280 3872 100919 607291')
    const little = schedule(paid('2026-04-11', 'reduce-term', 1000n)).installments[3]!
    expect(little.interestMinor).toBe(1511n + 3022n)
    expect(little.principalMinor).toBe(103_280n - (little.interestMinor - 1000n))
  })

  test('that cover the payoff amount end the loan on that day, and larger ones are rejected', () => {
    const off = schedule(paid('2026-04-11', 'payoff', 0n))
    expect(lines(off).at(-1)).toBe('4: 908210 1511 906699 0')
    expect(off.installments.at(-1)!.dueDate).toBe('2026-04-11')
    expect(schedule(paid('2026-04-11', 'reduce-term', 908_210n))).toEqual(off)
    expect(refusal(paid('2026-04-11', 'reduce-term', 908_211n))).toEqual([
      '/extraPayments/0/amount EXCEEDS_PAYOFF_AMOUNT',
    ])
    expect(refusal(paid('2027-01-01', 'reduce-term'))).toEqual([
      '/extraPayments/0/on AFTER_THE_END',
    ])
  })

  test('payoff on a due date is included in that installment', () => {
    expect(lines(schedule(paid('2026-04-01', 'payoff', 0n))).at(-1)).toBe(
      '3: 1009979 5025 1004954 0',
    )
  })
})

describe('second drawdown', () => {
  const drawn = (on: string) =>
    aLoan(
      {},
      {
        disbursements: [
          { on: '2026-01-01', amountMinor: 1_200_000n },
          { on, amountMinor: 500_000n },
        ],
      },
    )

  test('raises the installment and keeps the maturity, from the next installment on if on a due date', () => {
    const table = schedule(drawn('2026-04-01'))
    expect(lines(table)[3]).toBe('4: 160233 7033 153200 1253499')
    expect(table.installments).toHaveLength(12)
  })

  test('is rejected after the end of the loan', () => {
    expect(refusal(drawn('2027-01-01'))).toEqual(['/disbursements/1/on AFTER_THE_END'])
  })
})

describe('amounts of a schedule on a day', () => {
  test('are principal and interest accrued to the day', () => {
    expect(standingOn(aLoan(), '2026-04-11', 'EUR')).toMatchObject({
      principalMinor: 906_699n,
      openInterestMinor: 1511n,
    })
  })

  test('includes interest that a holiday deferred and ignores later extra payments', () => {
    const loan: Loan = {
      ...paused({ interest: 'defer' }),
      extraPayments: [{ on: '2026-09-01', amountMinor: 1000n, strategy: 'reduce-term' }],
    }
    const { openInterestMinor, principalMinor } = standingOn(loan, '2026-06-11', 'EUR')
    expect([principalMinor, openInterestMinor]).toEqual([906_699n, 4533n + 4533n + 1511n])
  })
})
