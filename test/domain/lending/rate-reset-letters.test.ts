/**
 * What a letter about a reset says, compared with a golden file. `npx vitest run
 * test/domain/lending/rate-reset-letters --update` writes it anew; look at the difference before you
 * commit it.
 */
import 'reflect-metadata'
import { describe, expect, test } from 'vitest'
import {
  amendFacility,
  currentVersion,
} from '../../../subgraphs/lending/domain/facilities/schedule-change.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import {
  letterFigures,
  letterValues,
  newLetter,
  resetsToReport,
  retriedLetter,
} from '../../../subgraphs/lending/domain/rate-resets/letter.ts'
import { applyResets } from '../../../subgraphs/lending/domain/rate-resets/rate-reset.ts'
import {
  rateResetLetterReport,
  renderRateResetLetter,
  type SentLetter,
} from '../../../subgraphs/lending/files/rate-reset-letter-file.ts'
import { readPdf } from '../kernel/pdf-reader.ts'
import { aFloatingLoan, fact, start } from './rate-reset-kit.ts'

const createdAt = new Date('2026-04-30T00:10:00Z')
const base = {
  rateResetLetterId: 'rrl_1',
  contentHash: '',
  version: 1,
  createdAt,
  updatedAt: createdAt,
}
const sent: SentLetter = {
  subject: 'Your new interest rate',
  body: 'Dear Ada,\n\nyour rate follows the 3-month EURIBOR.',
  language: 'en',
  recipient: 'Ada Lovelace',
  referenceRateName: '3-month EURIBOR',
}

const pageOf = async (content: Promise<Buffer>) => {
  const { title, pages, texts, tags } = await readPdf(await content)
  return [`${title}, ${pages} page`, '', ...texts, '', ...tags, ''].join('\n')
}

/** Resets the rate of a loan, and returns what the letter says. */
function reported(loan: Facility, fixings: Record<string, string>, through = '2026-04-30') {
  const applied = applyResets(loan, fact({ [start]: '4', ...fixings }), through)
  const [reset] = resetsToReport(applied)
  const figures =
    reset &&
    letterFigures(
      loan,
      reset,
      currentVersion(loan)!.schedule,
      currentVersion(applied.facility)!.schedule,
    )
  return { applied, reset, figures }
}

describe('a letter about a reset', () => {
  const { reset, figures } = reported(aFloatingLoan(), { '2026-04-28': '5.25' })
  const accepted = {
    ...newLetter(reset!, 'pty_ada', base),
    notificationId: 'ntf_1',
    acceptedAt: createdAt,
  }

  test('has the golden page and structure', async () => {
    const content = renderRateResetLetter(accepted, figures!, sent)
    await expect(await pageOf(content)).toMatchFileSnapshot(
      '../../data/files/rate-reset-letter.txt',
    )
  })

  test('has the same bytes each time', async () => {
    const [one, other] = await Promise.all([
      renderRateResetLetter(accepted, figures!, sent),
      renderRateResetLetter(accepted, figures!, sent),
    ])
    expect(one.equals(other)).toBe(true)
  })

  test('lists payments that add up to what is paid after the change', () => {
    const { loan } = reported(aFloatingLoan(), { '2026-04-28': '5.25' }).applied.facility
    const { rows } = rateResetLetterReport(accepted, figures!, sent).sections[0]!.table
    const listed = rows.reduce((sum, [count, , , each]) => sum + Number(count) * Number(each), 0)
    const { installments } = currentVersion({
      ...aFloatingLoan(),
      loan,
      scheduleVersion: 2,
    })!.schedule
    const paid = installments
      .filter(({ dueDate }) => dueDate > reset!.effectiveFrom)
      .reduce((sum, { paymentMinor }) => sum + Number(paymentMinor), 0)
    expect(listed * 100).toBeCloseTo(paid)
    expect(rows.reduce((sum, [count]) => sum + Number(count), 0)).toBe(figures!.after.count)
  })

  test('passes the rates, the payments and the cost to the template', () => {
    expect(letterValues(figures!, '3-month EURIBOR')).toMatchObject({
      ratePct: '7.25',
      previousRatePct: '6',
      effectiveFrom: '2026-04-30',
      referenceRatePct: '5.25',
      fixedOn: '2026-04-28',
      paymentFrom: '2026-05-31',
      payments: 21,
      previousPayments: 21,
      lastPaymentOn: '2028-01-31',
      frequency: 'monthly',
    })
    const { before, after, additionalInterestMinor } = figures!
    const total = (groups: typeof after.groups) =>
      groups.reduce((sum, { count, amountMinor }) => sum + BigInt(count) * amountMinor, 0n)
    expect(total(after.groups) - total(before.groups)).toBe(additionalInterestMinor)
    expect(additionalInterestMinor).toBeGreaterThan(0n)
  })

  test('lists each payment of a loan with equal parts of principal', () => {
    const loan = aFloatingLoan()
    const equal: Facility = {
      ...loan,
      loan: { ...loan.loan, terms: { ...loan.loan.terms, method: 'equal-principal' } },
    }
    const { after } = reported(equal, { '2026-04-28': '5.25' }).figures!
    expect(after.groups).toHaveLength(after.count)
  })

  test('names the days between the payments', () => {
    const loan = aFloatingLoan()
    const terms = { ...loan.loan.terms, frequency: 'days' as const, everyDays: 10 }
    const { figures } = reported({ ...loan, loan: { ...loan.loan, terms } }, { '2026-04-28': '5' })
    expect(figures!.frequency).toBe('every 10 days')
  })
})

describe('a letter about a loan with a payment holiday', () => {
  const holiday = {
    fromInstallment: 4,
    installments: 3,
    type: 'full' as const,
    interest: 'defer' as const,
    term: 'extend' as const,
  }
  const loan = aFloatingLoan()
  const paused = amendFacility(
    { ...loan, billedInstallments: 3 },
    { kind: 'payment-holiday', holiday },
  ).facility

  test('names the first payment after it, and counts only payments', () => {
    const { figures } = reported(paused, { '2026-04-28': '5.25' })
    const { after, before } = figures!
    expect(after.first).toMatchObject({ dueDate: '2026-08-31' })
    expect(after.first.paymentMinor).toBeGreaterThan(0n)
    expect([after.count, before.count]).toEqual([21, 21])
    expect(after.groups[0]).toEqual({
      count: 3,
      firstDueDate: '2026-05-31',
      lastDueDate: '2026-07-31',
      amountMinor: 0n,
    })
  })
})

describe('resets that waited for their fixings and take effect on the same day', () => {
  const late = { ...aFloatingLoan({ frequency: 'monthly' }), billedInstallments: 3 }

  test('are reported together', () => {
    const { applied } = reported(late, { '2026-02-26': '5', '2026-03-26': '6' })
    const changed = applied.resets.filter(({ scheduleVersion }) => scheduleVersion !== null)
    expect(changed.map(({ effectiveFrom }) => effectiveFrom)).toEqual(['2026-04-30', '2026-04-30'])
    expect(resetsToReport(applied)).toMatchObject([{ ratePct: '8', previousRatePct: '7' }])
  })

  test('are not reported if the rate is the same after them', () => {
    const { applied } = reported(late, { '2026-02-26': '5', '2026-03-26': '4' })
    expect(applied.changes).toHaveLength(2)
    expect(resetsToReport(applied)).toEqual([])
  })
})

describe('no letter is about', () => {
  test('a rate that stays the same', () => {
    const { applied, reset } = reported(aFloatingLoan(), {})
    expect(applied.resets).toHaveLength(1)
    expect(reset).toBeUndefined()
  })

  test('a reset after which nothing is to be paid', () => {
    const loan = aFloatingLoan()
    const { applied } = reported(loan, { '2026-04-28': '5.25' })
    const [reset] = applied.resets
    const ended = { ...reset!, effectiveFrom: loan.maturityDate! }
    expect(resetsToReport({ ...applied, resets: [ended] })).toEqual([])
  })
})

describe('a letter that is tried again', () => {
  const letter = newLetter(reported(aFloatingLoan(), { '2026-04-28': '5' }).reset!, 'pty_ada', base)
  const tried = { notificationId: 'ntf_1', failureCode: 'RESOURCE_EXISTS' }
  test.each([
    ['failed', 'due', null],
    ['undelivered', 'due', null],
    ['not-stored', 'accepted', 'ntf_1'],
  ] as const)('after it was %s is %s with the notification %s', (state, next, notificationId) => {
    const failed = { ...letter, ...tried, state }
    const retried = retriedLetter({ ...failed, state: 'due' }, failed)
    expect(retried).toMatchObject({ state: next, notificationId, failureCode: null })
  })
})
