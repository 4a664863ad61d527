import { csvOf } from '../../../kernel/domain/csv.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { renderPdf, type PdfReport } from '../../../kernel/files/pdf.ts'
import {
  documentFile,
  type DocumentFile,
  type DocumentFormat,
} from '../../../kernel/graph/document-file.types.ts'
import { totalDebtMinor, type Debt } from '../domain/statements/debt.ts'
import type { Statement } from '../domain/statements/statement.ts'
import { factsOf, readBorrowerName } from './borrower.ts'

/** The columns of a statement in CSV. Their names and their order are a contract. */
const columns = [
  'value_date',
  'kind',
  'text',
  'amount',
  'currency',
  'principal',
  'interest',
  'late_fees',
  'default_interest',
  'charged_off',
  'fee',
  'balance_after',
  'rate_pct',
  'record_id',
] as const

/** Renders a statement of a facility in a file format. */
export async function statementFile(
  context: Context,
  statement: Statement,
  format: DocumentFormat,
): Promise<DocumentFile> {
  const { facility, from, to } = statement
  const name = `${facility.facilityId}-${from}-${to}`
  if (format === 'csv') return documentFile(name, format, statementAsCsv(statement))
  const borrower = await readBorrowerName(context, facility)
  const report = statementReport(statement, borrower, context.now())
  return documentFile(name, format, await renderPdf(report))
}

/** Returns a statement as CSV, one line for each movement. The parts of a payment are negative. */
export function statementAsCsv({ facility, movements }: Statement): string {
  const { currency } = facility
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  const rows = movements.map((movement) => ({
    value_date: movement.valueDate,
    kind: movement.kind,
    text: movement.text,
    amount: money(movement.amountMinor),
    currency,
    principal: money(movement.change.principalMinor),
    interest: money(movement.change.interestMinor),
    late_fees: money(movement.change.lateFeesMinor),
    default_interest: money(movement.change.defaultInterestMinor),
    charged_off: money(movement.change.chargedOffMinor),
    fee: money(movement.feeMinor),
    balance_after: money(movement.balanceAfterMinor),
    rate_pct: movement.ratePct ?? '',
    record_id: movement.origin?.id ?? '',
  }))
  return csvOf(columns, rows)
}

const amountColumns = ['Principal', 'Interest', 'Late charges'].map((title) => ({
  title,
  share: 0.135,
  isNumber: true,
}))

/** Returns a statement as a report with its balances, its movements and what is due next. */
export function statementReport(
  statement: Statement,
  borrowerName: string | null,
  createdAt: Date,
): PdfReport {
  const { facility, from, to, opening, closing, movements, nextInstallment } = statement
  const money = (amountMinor: bigint) => formatAmount(amountMinor, facility.currency)
  const cellsOf = (debt: Debt) => [
    money(debt.principalMinor),
    money(debt.interestMinor),
    money(debt.lateFeesMinor + debt.defaultInterestMinor),
  ]
  const balanceRow = (day: string, text: string, debt: Debt) => [
    day,
    text,
    ...cellsOf(debt),
    money(totalDebtMinor(debt)),
  ]
  const rows = [
    balanceRow(from, 'Opening balance', opening),
    ...movements.map(({ valueDate, text, change, balanceAfterMinor }) => [
      valueDate,
      text,
      ...cellsOf(change),
      money(balanceAfterMinor),
    ]),
    balanceRow(to, 'Closing balance', closing),
  ]
  const table = {
    columns: [
      { title: 'Date', share: 0.125 },
      { title: 'Text', share: 0.32 },
      ...amountColumns,
      { title: 'Balance', share: 0.15, isNumber: true },
    ],
    rows,
    boldRows: [0, rows.length - 1],
  }
  const next = nextInstallment
    ? `Next installment: ${money(nextInstallment.paymentMinor)} ${facility.currency} on ${nextInstallment.dueDate}.`
    : 'No further installment is due.'
  const chargedOff = closing.chargedOffMinor
  const note =
    chargedOff > 0n ? `${next} The balance includes ${money(chargedOff)} charged off.` : next
  return {
    title: `Statement of ${facility.facilityId}`,
    facts: [...factsOf(facility, borrowerName), ['Period', `${from} to ${to}`]],
    sections: [{ heading: 'Movements by value date', table, note }],
    footer: footerOf(createdAt),
    createdAt,
  }
}

/** Returns the sentence at the bottom of a document. */
export function footerOf(createdAt: Date): string {
  return `Created on ${createdAt.toISOString().slice(0, 10)}. Days are in UTC.`
}
