import { formatAmount } from '../domain/money.ts'
import type { PdfTable } from './pdf-table.ts'

/** An amount of a document: the name of its column in CSV, and its text in PDF. */
export type AmountLine = readonly [column: string, text: string, amountMinor: bigint]

/** Returns the amounts as columns of one line of CSV. */
export function amountColumns(
  lines: readonly AmountLine[],
  currency: string,
): Record<string, string> {
  return Object.fromEntries(
    lines.map(([column, , amountMinor]) => [column, formatAmount(amountMinor, currency)]),
  )
}

/** Returns the amounts as a table with a row for each. */
export function amountTable(lines: readonly AmountLine[], currency: string): PdfTable {
  return {
    columns: [
      { title: 'Item', share: 0.75 },
      { title: 'Amount', share: 0.25, isNumber: true },
    ],
    rows: lines.map(([, text, amountMinor]) => [text, formatAmount(amountMinor, currency)]),
  }
}
