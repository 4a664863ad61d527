/**
 * The files of statements and certificates, compared with golden files. `npx vitest run test/domain/lending/statement-files --update` writes them
 * anew; look at the difference before you commit it.
 */
import 'reflect-metadata'
import { describe, expect, test } from 'vitest'
import { renderPdf } from '../../../kernel/files/pdf.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { certificateOf } from '../../../subgraphs/lending/domain/statements/certificate.ts'
import type { Schedule } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { noDebt, type Debt } from '../../../subgraphs/lending/domain/statements/debt.ts'
import type { Movement } from '../../../subgraphs/lending/domain/statements/movement.ts'
import { statementOf } from '../../../subgraphs/lending/domain/statements/statement.ts'
import {
  certificateAsCsv,
  certificateReport,
} from '../../../subgraphs/lending/files/certificate-file.ts'
import { statementAsCsv, statementReport } from '../../../subgraphs/lending/files/statement-file.ts'
import { readPdf } from '../kernel/pdf-reader.ts'
import { aDue, aFacility, terms } from './late-charges-kit.ts'

const booked = (
  kind: Movement['kind'],
  valueDate: string,
  change: Partial<Debt>,
  more: Partial<Movement> = {},
): Movement => ({
  kind,
  valueDate,
  bookedAt: new Date(`${valueDate}T23:00:00Z`),
  text: kind,
  amountMinor: Object.values(change).reduce((sum, minor) => sum + minor, 0n),
  change: { ...noDebt, ...change },
  feeMinor: 0n,
  ratePct: null,
  origin: null,
  ...more,
})
const due = aDue(1, '2090-02-01')
const { facility: opened } = aFacility(terms(), [due])
const facility: Facility = {
  ...opened,
  closedThrough: '2090-12-31',
  loan: {
    ...opened.loan,
    rateChanges: [{ from: '2090-03-01', annualRate: { num: 9n, den: 200n } }],
  },
}
const opening = { ...noDebt, principalMinor: 1_200_000n }
const origin = { kind: 'repayment', id: 'rpm_1', feeMinor: 0n } as const
const movements = [
  booked('interest', '2090-01-31', { interestMinor: 5_900n }, { text: 'Interest to 2090-01-31' }),
  booked('interest', '2090-02-01', { interestMinor: 100n }, { text: 'Interest to 2090-02-01' }),
  booked('late-charges', '2090-02-02', { lateFeesMinor: 1_500n }, { text: 'Late charges' }),
  booked(
    'repayment',
    '2090-02-10',
    { principalMinor: -100_000n, interestMinor: -6_000n, lateFeesMinor: -1_500n },
    { text: 'Repayment, "thank you"', amountMinor: 107_500n, origin },
  ),
]
const period = { from: '2090-01-01', to: '2090-12-31' }
const scheduleOf = (...dueDates: string[]): Schedule => ({
  installments: dueDates.map((dueDate, index) => ({
    number: index + 1,
    dueDate,
    paymentMinor: 106_000n,
    interestMinor: 6_000n,
    principalMinor: 100_000n,
    balanceMinor: 0n,
  })),
  isPaidOff: false,
  totalInterestMinor: 0n,
  totalPaymentMinor: 0n,
})
const schedule = scheduleOf('2090-02-01', '2091-01-01')
const records = { opening, booked: movements, dues: [due], schedule }
const statement = statementOf(facility, period, records)
const lost = statementOf(facility, period, {
  ...records,
  booked: [
    ...movements,
    booked('extra-payment', '2090-04-01', { principalMinor: -200_000n }),
    booked('prepayment-fee', '2090-04-01', {}, { text: 'Prepayment fee', feeMinor: 2_000n }),
    booked(
      'charge-off',
      '2090-05-01',
      { principalMinor: -900_000n, chargedOffMinor: 900_000n },
      { text: 'Charge-off' },
    ),
    booked('recovery', '2090-06-01', { chargedOffMinor: -50_000n }, { text: 'Recovery' }),
  ],
})
const certificate = certificateOf(2090, statement, '2091-01-15')
const createdAt = new Date('2091-01-15T10:00:00Z')
const golden = (name: string) => `../../data/files/${name}`
const pageOf = async (content: Promise<Buffer>) => {
  const { title, pages, texts, tags } = await readPdf(await content)
  return [`${title}, ${pages} page`, '', ...texts, '', ...tags, ''].join('\n')
}

describe('The files of a loan', () => {
  test('have the golden CSV', async () => {
    await expect(statementAsCsv(statement)).toMatchFileSnapshot(golden('loan-statement.csv'))
    await expect(certificateAsCsv(certificate)).toMatchFileSnapshot(golden('loan-certificate.csv'))
  })

  test('have the golden page and structure as PDF', async () => {
    const report = statementReport(statement, 'Ada Lovelace', createdAt)
    await expect(await pageOf(renderPdf(report))).toMatchFileSnapshot(golden('loan-statement.txt'))
    const certified = certificateReport(certificate, 'Ada Lovelace', createdAt)
    await expect(await pageOf(renderPdf(certified))).toMatchFileSnapshot(
      golden('loan-certificate.txt'),
    )
    const lostReport = statementReport(lost, 'Ada Lovelace', createdAt)
    await expect(await pageOf(renderPdf(lostReport))).toMatchFileSnapshot(
      golden('lost-loan-statement.txt'),
    )
  })

  test.each([
    ['a loan', statement, 4],
    ['a lost loan with fees', lost, 6],
  ])('have rows that add up to the balance of %s', (_, stated, amounts) => {
    const { columns, rows } = statementReport(stated, null, createdAt).sections[0]!.table
    expect(columns.filter(({ isNumber }) => isNumber)).toHaveLength(amounts)
    expect(columns.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
    const balanceAt = columns.findIndex(({ title }) => title === 'Balance')
    let balance = 0
    for (const [index, row] of rows.entries()) {
      const parts = row.slice(2, balanceAt).reduce((sum, part) => sum + Number(part), 0)
      balance = index === rows.length - 1 ? parts : balance + parts
      expect(Number(row[balanceAt])).toBeCloseTo(balance)
    }
    const fees = rows.map((row) => Number(row[balanceAt + 1] ?? 0))
    const paidMinor = stated.movements.reduce((sum, { feeMinor }) => sum + feeMinor, 0n)
    expect(fees.reduce((sum, fee) => sum + fee, 0) * 100).toBeCloseTo(Number(paidMinor))
  })

  test.each([
    ['the next installment', { schedule }, 'Next installment: 1060.00 EUR on 2091-01-01.'],
    [
      'what is unpaid after the last installment',
      { schedule: scheduleOf('2090-02-01') },
      'All installments are due. Unpaid: 11000.00 EUR.',
    ],
    ['the end of the debt', { booked: [], opening: noDebt }, 'No further installment is due.'],
    ['nothing without a schedule', { schedule: null }, ''],
  ])('say %s', (_, change, note) => {
    const stated = statementOf(facility, period, { ...records, ...change })
    // The facility of today has no next installment.
    expect(facility.nextDueDate).toBeNull()
    expect(statementReport(stated, null, createdAt).sections[0]!.note).toBe(note)
  })
})
