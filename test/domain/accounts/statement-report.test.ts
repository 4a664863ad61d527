/**
 * The PDF file of a statement, compared with a golden file. `npx vitest run
 * test/domain/accounts/statement-report --update` writes it anew; look at the difference before you commit
 * it.
 */
import { expect, test } from 'vitest'
import { renderPdf } from '../../../kernel/files/pdf.ts'
import { statementReport } from '../../../subgraphs/accounts/files/statement-report.ts'
import { readPdf } from '../kernel/pdf-reader.ts'
import { entry, statement } from './statement-kit.ts'

const counterparty = { name: null, iban: null }
const stated = statement(
  [
    entry(),
    entry({ side: 'debit', amount: '3.00', balanceAfter: '1.00', counterparty }),
    entry({ amount: '0.50', balanceAfter: '1.50', counterparty, remittanceInformation: null }),
  ],
  { closingBalance: '1.50', totalDebits: '3.00', totalCredits: '5.50' },
)

test('a statement has the golden page and structure as PDF', async () => {
  const file = await renderPdf(statementReport(stated, 'Ada Lovelace'))
  const { title, pages, texts, tags } = await readPdf(file)
  const page = [`${title}, ${pages} page`, '', ...texts, '', ...tags, ''].join('\n')
  await expect(page).toMatchFileSnapshot('../../data/files/account-statement.txt')
})

test('a statement has rows that add up to the balance after each entry', () => {
  const { columns, rows } = statementReport(stated, null).sections[0]!.table
  expect(columns.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  let balance = Number(rows[0]![4])
  for (const row of rows) {
    balance += Number(row[3])
    expect(Number(row[4])).toBeCloseTo(balance)
  }
})
