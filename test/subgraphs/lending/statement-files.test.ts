/** The files of the statements and annual certificates of facilities. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { aLender, morningOf, publishLateProduct } from './facility-kit.ts'
import { statementKit } from './statement-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender('2026-04-03T09:00:00Z')
  await publishLateProduct(bank, 'prd_late', 1500, { defaultInterestPct: '7.3' })
  const { dueDate } = await aLentLoan('loan_stated')
  await morningOf(bank, addDays(dueDate, 60))
})
afterAll(() => bank.drop())

const { read, aLentLoan } = statementKit(() => bank)

describe('Statements and certificates', () => {
  test('have files in CSV and PDF', async () => {
    const partyContacts = [{ displayName: 'Ada Lovelace' }]
    bank.bank.queryGraph = () => Promise.resolve({ partyContacts } as never)
    const { statement: stated, annualCertificate } = await read(
      'loan_stated',
      `statement(from: "2026-04-03", to: "2026-06-30") { movements { valueDate }
        csv: file(format: CSV) { fileName mediaType contentBase64 }
        pdf: file(format: PDF) { fileName mediaType contentBase64 } }
       annualCertificate(year: 2026) { csv: file(format: CSV) { fileName contentBase64 }
        pdf: file(format: PDF) { fileName mediaType contentBase64 } }`,
    )
    const decode = ({ contentBase64 }: any) => Buffer.from(contentBase64, 'base64').toString()
    const { csv, pdf, movements } = stated
    expect([csv.fileName, csv.mediaType]).toEqual([
      'loan_stated-2026-04-03-2026-06-30.csv',
      'text/csv; charset=utf-8',
    ])
    const lines = decode(csv).trimEnd().split('\r\n')
    expect(lines).toHaveLength(movements.length + 1)
    expect(lines[0]).toBe(
      'value_date,kind,text,amount,currency,principal,interest,late_fees,default_interest,charged_off,' +
        'fee,balance_after,rate_pct,record_id',
    )
    expect([pdf.fileName, pdf.mediaType]).toEqual([
      'loan_stated-2026-04-03-2026-06-30.pdf',
      'application/pdf',
    ])
    expect(decode(pdf).slice(0, 8)).toBe('%PDF-1.7')
    expect(annualCertificate.csv.fileName).toBe('loan_stated-2026.csv')
    expect(decode(annualCertificate.csv)).toMatch(
      /^facility_id,year,currency,interest_paid,.*,is_final\r\nloan_stated,2026,EUR,.*,false\r\n$/,
    )
    expect(decode(annualCertificate.pdf).slice(0, 8)).toBe('%PDF-1.7')
  })

  test('are errors in PDF while the name of the borrower cannot be read', async () => {
    const fields = (format: string) =>
      `statement(from: "2026-04-03", to: "2026-06-30") { file(format: ${format}) { fileName } }
       annualCertificate(year: 2026) { file(format: ${format}) { fileName } }`
    bank.bank.queryGraph = () => Promise.reject(new Problem('DEPENDENCY_UNAVAILABLE'))
    expect((await read('loan_stated', fields('PDF'))).code).toBe('DEPENDENCY_UNAVAILABLE')
    expect((await read('loan_stated', fields('CSV'))).code).toBeUndefined()
    bank.bank.queryGraph = () => Promise.resolve({ partyContacts: [] } as never)
    expect((await read('loan_stated', fields('PDF'))).code).toBeUndefined()
  })

  test('are at most ten PDF files in a request', async () => {
    const files = Array.from(
      { length: 11 },
      (_, index) => `f${index}: file(format: PDF) { fileName }`,
    )
    const fields = `statement(from: "2026-04-03", to: "2026-06-30") { ${files.join(' ')} }`
    expect((await read('loan_stated', fields)).code).toBe('LIMIT_EXCEEDED')
  })
})
