/**
 * The files of statements and certificates, compared with golden files. `npx vitest run test/domain/lending/statement-files --update` writes them
 * anew; look at the difference before you commit it.
 */
import 'reflect-metadata'
import { describe, expect, test } from 'vitest'
import { renderPdf } from '../../../kernel/files/pdf.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { certificateOf } from '../../../subgraphs/lending/domain/statements/certificate.ts'
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
const statement = statementOf(facility, period, opening, movements, [due])
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
  })
})
