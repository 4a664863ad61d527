/** The annual certificates of accounts: interest, tax and the balance at the end of the year. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import {
  ada,
  anAccount,
  anInterestBank,
  aProduct,
  interestOf,
  post,
  type InterestBank,
} from './kit.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { readPdf } from '../../domain/kernel/pdf-reader.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
})
afterAll(() => bank.drop())

const fields = `year interestCredited { amount } taxWithheld { amount } interestAfterTax { amount }
  overdraftInterestCharged { amount } closingBalance { amount } isFinal`

async function certificateOf(id: string, year: number, more = fields, caller = ada) {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!, $year: Int!) { accountArrangement(arrangementId: $id) {
      annualCertificate(year: $year) { ${more} } } }`,
    { id, year },
    caller,
  )
  return accountArrangement?.annualCertificate
}

test('has what was credited in the year, and becomes final 30 days after it', async () => {
  const productId = await aProduct(bank, { withholdingTaxPct: '25' })
  const id = await anAccount(bank, productId, '10000.00')
  await bank.night('2027-01-01')
  const { capitalizations } = await interestOf(bank, id)
  // The interest of December is part of the balance from January 1 on.
  const inYear = capitalizations.nodes.filter(({ effectiveOn }: any) => effectiveOn < '2027')
  expect(inYear).toHaveLength(11)
  expect(capitalizations.nodes).toHaveLength(12)
  const sum = (part: 'gross' | 'taxWithheld' | 'net') =>
    inYear.reduce((total: number, each: any) => total + Number(each[part].amount), 0).toFixed(2)
  const first = await certificateOf(id, 2026)
  expect(first).toEqual({
    year: 2026,
    interestCredited: { amount: sum('gross') },
    taxWithheld: { amount: sum('taxWithheld') },
    interestAfterTax: { amount: sum('net') },
    overdraftInterestCharged: { amount: '0.00' },
    closingBalance: { amount: (10_000 + Number(sum('net'))).toFixed(2) },
    isFinal: false,
  })
  // Posted in January with a value date in December.
  await bank.night('2027-01-10')
  await post(bank, id, 'IN', '50.00', '2026-12-31')
  const { closingBalance } = await certificateOf(id, 2026)
  expect(Number(closingBalance.amount)).toBeCloseTo(Number(first.closingBalance.amount) + 50, 2)
  await bank.night('2027-01-31')
  expect((await certificateOf(id, 2026)).isFinal).toBe(true)
  expect((await certificateOf(id, 2027)).isFinal).toBe(false)
})

test('has files with the name of the account holder', async () => {
  const id = await anAccount(bank, await aProduct(bank))
  await bank.follow()
  const files = `csv: file(format: CSV) { fileName mediaType contentBase64 }
    pdf: file(format: PDF) { fileName mediaType contentBase64 }`
  const { csv, pdf } = await certificateOf(id, 2027, files)
  expect([csv.fileName, pdf.fileName]).toEqual([`${id}-2027.csv`, `${id}-2027.pdf`])
  expect(Buffer.from(csv.contentBase64, 'base64').toString()).toBe(
    'arrangement_id,year,currency,interest_credited,tax_withheld,interest_after_tax,' +
      'overdraft_interest_charged,closing_balance,is_final\r\n' +
      `${id},2027,EUR,0.00,0.00,0.00,0.00,1000.00,false\r\n`,
  )
  const { tags } = await readPdf(Buffer.from(pdf.contentBase64, 'base64'))
  expect(tags).toEqual(
    expect.arrayContaining([
      '    H1: Certificate of interest for 2027',
      '    P: Account holder: Test Person',
    ]),
  )
})

test('is an error in PDF while the name of the account holder cannot be read', async () => {
  const id = await anAccount(bank, await aProduct(bank))
  await bank.follow()
  const queryGraph = bank.bank.queryGraph
  bank.bank.queryGraph = () => Promise.reject(new Problem('DEPENDENCY_UNAVAILABLE'))
  const file = (format: string) =>
    certificateOf(id, 2027, `file(format: ${format}) { fileName }`).finally(
      () => (bank.bank.queryGraph = queryGraph),
    )
  await expect(file('PDF')).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' })
  expect(await file('CSV')).toEqual({ file: { fileName: `${id}-2027.csv` } })
})

test('is refused for a year before the opening, and for others than the account holder', async () => {
  const id = await anAccount(bank, await aProduct(bank))
  await bank.follow()
  for (const year of [2025, 2028]) {
    await expect(certificateOf(id, year)).rejects.toMatchObject({ code: 'INVALID_DATE_RANGE' })
  }
  const other = aCaller({ partyId: 'pty_other' })
  expect(await certificateOf(id, 2027, fields, other).catch(() => undefined)).toBeUndefined()
})
