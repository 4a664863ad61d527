import { describe, expect, test } from 'vitest'
import type { Holiday, Loan } from '../../../subgraphs/lending/domain/loan.ts'
import { payoffQuote } from '../../../subgraphs/lending/domain/payoff.ts'
import { ofPercent } from '../../../subgraphs/lending/domain/rational.ts'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
import type { Fault } from '../../../subgraphs/_kernel/domain/problem-members.ts'
import { aLoan, lines, schedule } from './kit.ts'

/** What a loan is refused with: the places and codes of its faults. */
function refusal(loan: Loan): string[] {
  try {
    schedule(loan)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.members.errors as Fault[]).map(({ pointer, code }) => `${pointer} ${code}`)
  }
  return []
}

const paused = (holiday: Partial<Holiday>, terms = {}) =>
  aLoan(terms, {
    holidays: [
      {
        fromInstalment: 4,
        instalments: 2,
        type: 'full',
        interest: 'capitalise',
        term: 'extend',
        ...holiday,
      },
    ],
  })

describe('payment holidays: 4 and 5 of 12', () => {
  // Lines 4 and 6, how many there are, and what it all costs. 393.58 without a holiday.
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
  ] as const)('%s, %s, %s', (type, interest, term, fourth, sixth, count, cost) => {
    const table = schedule(paused({ type, interest, term }))
    const all = lines(table)
    expect([all[3], all[5]]).toEqual([`4: ${fourth}`, `6: ${sixth}`])
    expect(all).toHaveLength(count)
    expect(table.totalInterestMinor).toBe(cost)
  })

  test('equal principal goes on as it was, and later', () => {
    const all = lines(schedule(paused({ interest: 'defer' }, { method: 'equal-principal' })))
    expect(all).toHaveLength(14)
    expect(all[5]).toBe('6: 113500 4500 100000 800000')
  })

  test('an instalment that is kept from the first on is the one without the holiday', () => {
    const table = schedule(paused({ fromInstalment: 1, term: 'keep-instalment' }))
    expect(table.instalments[2]!.paymentMinor).toBe(103_280n)
  })

  test('what leaves nothing to repay with, or never repays, is refused', () => {
    expect(refusal(paused({ fromInstalment: 11, term: 'keep-maturity' }))).toEqual([
      '/holidays/0/instalments NO_INSTALMENT_LEFT',
    ])
    expect(refusal(paused({ instalments: 1199 }))).toEqual([
      '/holidays/0/instalments TOO_MANY_INSTALMENTS',
    ])
    expect(refusal(paused({ fromInstalment: 13 }))).toEqual([
      '/holidays/0/fromInstalment AFTER_THE_END',
    ])
    const long = { instalments: 36, term: 'keep-instalment' } as const
    expect(refusal(paused(long, { instalments: 360, annualRate: { num: 3n, den: 10n } }))).toEqual([
      '/holidays/0/term NEVER_REPAID',
    ])
  })
})

describe('extra payments of 2,000.00', () => {
  const paid = (
    on: string,
    strategy: Loan['extraPayments'][number]['strategy'],
    amountMinor = 200_000n,
  ) => aLoan({}, { extraPayments: [{ on, amountMinor, strategy }] })

  test('on a due date come after the instalment', () => {
    const lower = schedule(paid('2026-04-01', 'reduce-instalment'))
    expect(lines(lower)[2]).toBe('3: 103280 5025 98255 906699')
    expect(lines(lower)[3]).toBe('4: 80498 3533 76965 629734')
    expect(lower.totalInterestMinor).toBe(34_324n)
  })

  test('do not raise an instalment, however little they are', () => {
    // 1,000.03 at 15 % over ten years: worked out again in June 2027, 16.13 would round up.
    const cent = aLoan(
      { instalments: 120, annualRate: ofPercent('15') },
      {
        disbursements: [{ on: '2026-01-01', amountMinor: 100_003n }],
        extraPayments: [{ on: '2027-06-01', amountMinor: 1n, strategy: 'reduce-instalment' }],
      },
    )
    const { instalments } = schedule(cent)
    expect([0, 16, 17].map((place) => instalments[place]!.paymentMinor)).toEqual(
      Array(3).fill(1613n),
    )
  })

  test('shorten the term with the instalment as it was', () => {
    const { instalments, totalInterestMinor } = schedule(paid('2026-04-01', 'reduce-term'))
    expect(instalments).toHaveLength(10)
    expect(lines({ instalments } as never).at(-1)).toBe('10: 101193 503 100690 0')
    expect(totalInterestMinor).toBe(30_713n)
  })

  test('pay the next instalments: nothing, then the rest of one, then as before', () => {
    const all = lines(schedule(paid('2026-04-01', 'prepay-next')))
    expect(all.slice(3, 6)).toEqual([
      '4: 0 3533 0 706699',
      '5: 6560 3533 0 706699',
      '6: 103280 3533 99241 607458',
    ])
    expect(all).toHaveLength(12)
  })

  test('between due dates pay the interest to the day first', () => {
    const { instalments } = schedule(paid('2026-04-11', 'reduce-term'))
    // 10 of 30 days: 15.11; then 20 days on 9,066.99 − (2,000.00 − 15.11).
    expect(lines({ instalments } as never)[3]).toBe('4: 103280 3872 100919 607291')
    const little = schedule(paid('2026-04-11', 'reduce-term', 1000n)).instalments[3]!
    expect(little.interestMinor).toBe(1511n + 3022n)
    expect(little.principalMinor).toBe(103_280n - (little.interestMinor - 1000n))
  })

  test('that pay everything end the loan on the day', () => {
    const off = schedule(paid('2026-04-11', 'payoff', 0n))
    expect(lines(off).at(-1)).toBe('4: 908210 1511 906699 0')
    expect(off.instalments.at(-1)!.dueDate).toBe('2026-04-11')
    expect(schedule(paid('2026-04-11', 'reduce-term', 908_210n))).toEqual(off)
    expect(refusal(paid('2026-04-11', 'reduce-term', 908_211n))).toEqual([
      '/extraPayments/0/amount EXCEEDS_PAYOFF_AMOUNT',
    ])
    expect(refusal(paid('2027-01-01', 'reduce-term'))).toEqual([
      '/extraPayments/0/on AFTER_THE_END',
    ])
  })

  test('a payoff on a due date goes with the instalment', () => {
    expect(lines(schedule(paid('2026-04-01', 'payoff', 0n))).at(-1)).toBe(
      '3: 1009979 5025 1004954 0',
    )
  })
})

describe('a drawdown', () => {
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

  test('raises the instalment and keeps the maturity; on a due date from the next one on', () => {
    const table = schedule(drawn('2026-04-01'))
    expect(lines(table)[3]).toBe('4: 160233 7033 153200 1253499')
    expect(table.instalments).toHaveLength(12)
  })

  test('after the end is refused', () => {
    expect(refusal(drawn('2027-01-01'))).toEqual(['/disbursements/1/on AFTER_THE_END'])
  })
})

describe('the payoff figure', () => {
  test('is principal and interest to the day, and what the schedule ends with', () => {
    expect(payoffQuote(aLoan(), '2026-04-11', 'EUR')).toEqual({
      on: '2026-04-11',
      principalMinor: 906_699n,
      interestMinor: 1511n,
      totalMinor: 908_210n,
    })
  })

  test('has the interest a holiday left open, and nothing of what is planned for later', () => {
    const loan: Loan = {
      ...paused({ interest: 'defer' }),
      extraPayments: [{ on: '2026-09-01', amountMinor: 1000n, strategy: 'reduce-term' }],
    }
    const { interestMinor, principalMinor } = payoffQuote(loan, '2026-06-11', 'EUR')
    expect([principalMinor, interestMinor]).toEqual([906_699n, 4533n + 4533n + 1511n])
    expect(payoffQuote(loan, '2026-04-01', 'EUR').totalMinor).toBe(1_004_954n + 5025n)
  })
})
