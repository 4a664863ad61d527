import { csvOf } from '../../../kernel/domain/csv.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { renderPdfForCaller } from '../../../kernel/files/pdf-for-caller.ts'
import type { PdfTable } from '../../../kernel/files/pdf-table.ts'
import type { PdfReport } from '../../../kernel/files/pdf.ts'
import {
  documentFile,
  type DocumentFile,
  type DocumentFormat,
} from '../../../kernel/graph/document-file.types.ts'
import { totalDebtMinor, unpaidMinorOf, type Debt } from '../domain/statements/debt.ts'
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

/**
 * Renders a statement of a facility in a file format. Throws LIMIT_EXCEEDED for the eleventh PDF file of a
 * request, and TIMEOUT if the caller no longer waits.
 */
export async function statementFile(
  context: Context,
  statement: Statement,
  format: DocumentFormat,
): Promise<DocumentFile> {
  const { facility, from, to } = statement
  const name = `${facility.facilityId}-${from}-${to}`
  if (format === 'csv') return documentFile(name, format, statementAsCsv(statement))
  const content = await renderPdfForCaller(context, async () => {
    const borrower = await readBorrowerName(context, facility)
    return statementReport(statement, borrower, context.now())
  })
  return documentFile(name, format, content)
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

/** The shares of the width of the page for a date, and for each amount by the number of amounts. */
const dateShare = 0.125
const amountShares: Record<number, number> = { 4: 0.14, 5: 0.125, 6: 0.11 }

/**
 * Returns a statement as a report with its balances, its movements and what is due next. The parts of a
 * row are the change of the balance; the fees are outside the balance. Both have their column only if
 * there are any.
 */
export function statementReport(
  statement: Statement,
  borrowerName: string | null,
  createdAt: Date,
): PdfReport {
  const { facility, from, to } = statement
  const note = notesOf(statement).join(' ')
  return {
    title: `Statement of ${facility.facilityId}`,
    facts: [...factsOf(facility, borrowerName), ['Period', `${from} to ${to}`]],
    sections: [{ heading: 'Movements by value date', table: tableOf(statement), note }],
    createdAt,
  }
}

function tableOf({ facility, from, to, opening, closing, movements }: Statement): PdfTable {
  const debts = [opening, ...movements.map(({ change }) => change)]
  const hasChargedOff = debts.some(({ chargedOffMinor }) => chargedOffMinor !== 0n)
  const hasFees = movements.some(({ feeMinor }) => feeMinor !== 0n)
  const cellsOf = (debt: Debt, balanceMinor: bigint, feeMinor: bigint | null) => {
    const amounts = [
      debt.principalMinor,
      debt.interestMinor,
      debt.lateFeesMinor + debt.defaultInterestMinor,
      ...(hasChargedOff ? [debt.chargedOffMinor] : []),
      balanceMinor,
      ...(hasFees ? [feeMinor] : []),
    ]
    return amounts.map((each) => (each === null ? '' : formatAmount(each, facility.currency)))
  }
  const titles = [
    'Principal',
    'Interest',
    'Late charges',
    ...(hasChargedOff ? ['Charged off'] : []),
    'Balance',
    ...(hasFees ? ['Fees paid'] : []),
  ]
  const share = amountShares[titles.length]!
  const rows = [
    [from, 'Opening balance', ...cellsOf(opening, totalDebtMinor(opening), null)],
    ...movements.map(({ valueDate, text, change, balanceAfterMinor, feeMinor }) => [
      valueDate,
      text,
      ...cellsOf(change, balanceAfterMinor, feeMinor),
    ]),
    [to, 'Closing balance', ...cellsOf(closing, totalDebtMinor(closing), null)],
  ]
  const columns = [
    { title: 'Date', share: dateShare },
    { title: 'Text', share: 1 - dateShare - titles.length * share },
    ...titles.map((title) => ({ title, share, isNumber: true })),
  ]
  return { columns, rows, boldRows: [0, rows.length - 1] }
}

/** Returns sentences on what is due next, what is unpaid, and what the balance includes. */
function notesOf({ facility, closing, movements, ...statement }: Statement): string[] {
  const { hasSchedule, nextInstallment: next } = statement
  const money = (amountMinor: bigint) =>
    `${formatAmount(amountMinor, facility.currency)} ${facility.currency}`
  const notes: string[] = []
  const unpaidMinor = unpaidMinorOf(closing)
  if (next) notes.push(`Next installment: ${money(next.paymentMinor)} on ${next.dueDate}.`)
  else if (hasSchedule && unpaidMinor > 0n) {
    notes.push(`All installments are due. Unpaid: ${money(unpaidMinor)}.`)
  } else if (hasSchedule) notes.push('No further installment is due.')
  const { chargedOffMinor } = closing
  if (chargedOffMinor > 0n) {
    notes.push(`The balance includes ${money(chargedOffMinor)} charged off.`)
  }
  if (movements.some(({ feeMinor }) => feeMinor !== 0n)) {
    notes.push('Fees paid are not part of the balance.')
  }
  return notes
}
