import { dateOf } from '../../../kernel/domain/dates.ts'
import type { PdfReport } from '../../../kernel/files/pdf.ts'
import type { DescribedStatement, DescribedStatementEntry } from './statement-formats.ts'

const columns = [
  { title: 'Booked', share: 0.12 },
  { title: 'Value date', share: 0.12 },
  { title: 'Text', share: 0.48 },
  { title: 'Amount', share: 0.14, isNumber: true },
  { title: 'Balance', share: 0.14, isNumber: true },
]

/** Returns a statement as a report with its balances and entries. The amount of a debit is negative. */
export function statementReport(
  statement: DescribedStatement,
  holderName: string | null,
): PdfReport {
  const { accountNumber, currency, from, to, createdAt, entries } = statement
  const { openingBalance, closingBalance, totalCredits, totalDebits } = statement
  const rows = [
    [from, '', 'Opening balance', '', openingBalance],
    ...entries.map((entry) => [
      dateOf(entry.bookedAt),
      entry.valueDate,
      textOf(entry),
      entry.side === 'debit' ? `-${entry.amount}` : entry.amount,
      entry.balanceAfter,
    ]),
    [to, '', 'Closing balance', '', closingBalance],
  ]
  const holder = holderName === null ? [] : [['Account holder', holderName] as const]
  return {
    title: `Statement of account ${accountNumber}`,
    facts: [
      ...holder,
      ['Account', accountNumber],
      ['Currency', currency],
      ['Period', `${from} to ${to}`],
    ],
    sections: [
      {
        heading: 'Entries in the order of booking',
        table: { columns, rows, boldRows: [0, rows.length - 1] },
        note: `Credits: ${totalCredits} ${currency}. Debits: ${totalDebits} ${currency}.`,
      },
    ],
    createdAt,
  }
}

/** Returns who is on the other side of an entry, and what the payment says. */
function textOf({ counterparty, remittanceInformation }: DescribedStatementEntry): string {
  const { name, iban } = counterparty
  return [name, iban, remittanceInformation].filter(Boolean).join(', ')
}
